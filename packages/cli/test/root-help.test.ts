import { expect, it } from 'vitest'
import { ROOT_HELP } from '../src/help/root-help.ts'
import { runCli } from './support/run-cli.ts'

it('the generated text of formwire --help is current (update it with scripts/write-root-help.ts)', async () => {
  const { stdout } = await runCli(['--help'], { terminal: 80 })
  expect(ROOT_HELP).toBe(stdout)
})
