import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commandPages } from '../scripts/command-reference.ts'
import { COMMANDS } from '../src/all-commands.ts'
import { type ArgumentSpec, descriptionOf, flagsOf, type OptionSpec } from '../src/command.ts'
import { EXIT_MEANING } from '../src/exit.ts'
import { canBeChosen } from '../src/program.ts'
import { runCli } from './support/run-cli.ts'
import { startService } from './support/service.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const shared = readFileSync(new URL('../../../docs/reference/cli.md', import.meta.url), 'utf8')
const reference = commandPages()
  .map(({ text }) => text)
  .join('\n')
const commands = COMMANDS.filter(({ hidden }) => !hidden)

it('the reference names the commands that open a picker when an argument is missing', () => {
  const [line = ''] = shared.split('\n').filter((text) => text.includes('open a picker'))
  const names = commands.filter((command) => canBeChosen(command, 0)).map(({ path }) => path.join(' '))
  expect(names).toContain('forms get')
  expect(names.filter((name) => !line.includes(`\`${name}\``))).toEqual([])
})

it.each(commands.map((command) => [command.path.join(' '), command] as const))(
  'formwire %s --help matches the page about the commands',
  async (_name, { path, examples, ...command }) => {
    const options: readonly OptionSpec[] = command.options ?? []
    const takes: readonly ArgumentSpec[] = command.arguments ?? []
    const { stdout, code } = await runCli([...path, '--help'])
    expect(code).toBe(0)
    const flat = stdout.replace(/\s+/g, ' ')
    const section =
      reference.split('\n## ').find((text) => text.startsWith(`formwire ${path.join(' ')}\n`)) ?? ''
    for (const option of options) {
      expect(flat).toContain(`${flagsOf(option)} ${descriptionOf(option)}`)
      expect(section).toContain(`| \`${flagsOf(option)}\` | `)
    }
    for (const { name, description } of takes) {
      expect(flat).toContain(`${name.replace(/[<>[\].]/g, '')} ${description}`)
      expect(section).toContain(`| \`${name}\` | `)
    }
    expect(examples).not.toEqual({})
    for (const line of Object.keys(examples)) {
      expect(stdout).toContain(`  $ ${line}\n`)
      expect(section).toContain(`${line}   #`)
    }
    const codes = / ?Exit codes: (.*)$/m.exec(stdout)?.[1]?.split(' · ') ?? []
    expect(section).toContain(`Exit codes: ${codes.join(', ')}.`)
  },
)

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
