import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { COMMANDS } from '../src/all-commands.ts'
import { EXIT_MEANING } from '../src/exit.ts'
import { canBeChosen } from '../src/program.ts'
import { runCli } from './support/run-cli.ts'
import { startService } from './support/service.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const shared = readFileSync(new URL('../../../docs/reference/cli.md', import.meta.url), 'utf8')

it('the reference names the commands that open a picker when an argument is missing', () => {
  const [line = ''] = shared.split('\n').filter((text) => text.includes('open a picker'))
  const names = COMMANDS.filter((command) => canBeChosen(command, 0)).map(({ path }) => path.join(' '))
  expect(names).toContain('forms get')
  expect(names.filter((name) => !line.includes(`\`${name}\``))).toEqual([])
})

it('the README shows what forms list prints for the demo', async () => {
  const { server, env } = await startService({ seed: 'demo' })
  const { stdout } = await runCli(['forms', 'list'], {
    env: { ...env, FORMWIRE_API_KEY: server.writeKey, NO_COLOR: '1' },
    terminal: 80,
  })
  await server.close()
  expect(readme).toContain(`\n\`\`\`\n${stdout}\`\`\`\n`)
})

it('the README lists every exit code with its meaning', () => {
  for (const [code, meaning] of Object.entries(EXIT_MEANING))
    expect(readme).toContain(`| ${code} | ${meaning} |`)
})
