import { expect, it } from 'vitest'
import { waits } from '../src/package-runner.ts'

it.each([
  ['npm exec formwire-server', true],
  ['/usr/bin/node /usr/lib/node_modules/npm/bin/npx-cli.js formwire-server', true],
  ['node /home/a/.npm/_npx/9c/node_modules/.bin/pnpm start', true],
  ['pnpm start --port 0', true],
  ['sh -c formwire-server --port 0', true],
  ['/bin/bash -ec npm run build && npx formwire-server 2>&1 >& log', true],
  ['sh -c formwire-server --json "--public-url" "http://127.0.0.1/?a=1&b=2"', true],
  // The shell goes on, and may end first.
  ['sh -c formwire-server --json > formwire.json & wait-on http://127.0.0.1:8787', false],
  ['sh -c (formwire-server&)', false],
  // Not known to wait for its children.
  ['bash ./start.sh', false],
  ['-bash', false],
  ['node /home/a/project/pnpm/start.js', false],
  ['node node_modules/vitest/vitest.mjs run', false],
])('takes "%s" for a process that waits for what it starts: %s', (command, expected) => {
  expect(waits(command)).toBe(expected)
})
