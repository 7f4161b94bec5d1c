import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/all-commands.ts'
import { EXIT_MEANING } from '../src/exit.ts'
import type { CommandNode, GroupNode, OptionNode, ProgramTree } from '../src/help/command-tree.ts'
import { runCli } from './support/run-cli.ts'

const treeOf = async (...argv: string[]): Promise<ProgramTree> => {
  const { code, stdout, stderr } = await runCli(argv)
  expect([argv, code, stderr]).toEqual([argv, 0, ''])
  return JSON.parse(stdout)
}

const isGroup = (node: CommandNode | GroupNode): node is GroupNode => 'commands' in node
const pathsOf = ({ commands }: ProgramTree): string[] =>
  commands.flatMap((node) =>
    isGroup(node) ? node.commands.map(({ name }) => `${node.name} ${name}`) : [node.name],
  )

const nodeOf = (tree: ProgramTree, noun: string, verb?: string): CommandNode => {
  const first = tree.commands.find(({ name }) => name === noun)
  if (!first) throw new Error(`no command ${noun}`)
  const node = isGroup(first) ? first.commands.find(({ name }) => name === verb) : first
  if (!node) throw new Error(`no command ${noun} ${verb}`)
  return node
}

const optionOf = ({ options }: CommandNode, name: string): OptionNode => {
  const option = options.find((candidate) => candidate.name === name)
  if (!option) throw new Error(`no option ${name}`)
  return option
}

describe('formwire --help --json', () => {
  it('prints every command that is not hidden, in the order of help', async () => {
    const tree = await treeOf('--help', '--json')
    const shown = COMMANDS.filter(({ hidden }) => !hidden).map(({ path }) => path.join(' '))
    expect(pathsOf(tree).toSorted()).toEqual(shown.toSorted())
    expect(tree.commands.slice(0, 4).map(({ name }) => name)).toEqual([
      'whoami',
      'login',
      'logout',
      'profiles',
    ])
  })

  it('describes a command with its arguments, options, types, defaults and exit codes', async () => {
    const command = nodeOf(await treeOf('--help', '--json'), 'responses', 'list')
    expect({ ...command, options: command.options.slice(2, 3), json_fields: undefined }).toEqual({
      name: 'list',
      alias: 'ls',
      usage: 'formwire responses list [options] <form>',
      summary: 'list the responses of a form, newest first',
      description: command.description,
      arguments: [{ name: 'form', required: true, variadic: false, description: 'id of the form' }],
      options: [
        {
          name: '--limit',
          short: '-L',
          value: 'n',
          value_optional: false,
          type: 'integer',
          choices: null,
          default: 25,
          required: false,
          repeatable: false,
          description: 'show at most this many (default: 25)',
        },
      ],
      json_fields: undefined,
      examples: command.examples,
      exit_codes: [0, 1, 2, 3, 4, 5, 6, 130],
    })
    expect(command.json_fields).toContain('submitted_at')
    expect(command.examples.length).toBeGreaterThan(0)
  })

  it.each<[string, string | undefined, string, Partial<OptionNode>]>([
    ['responses', 'list', '--status', { choices: ['submitted', 'in_progress'], default: 'submitted' }],
    ['responses', 'list', '--since', { short: null, value: 'time', type: 'time', default: null }],
    ['responses', 'list', '--all', { type: 'boolean', default: false, value: null }],
    ['responses', 'tail', '--interval', { type: 'duration', default: '2s' }],
    ['responses', 'export', '--output', { short: '-o', type: 'path', default: null }],
    ['listen', undefined, '--port', { type: 'integer', default: 0 }],
    ['listen', undefined, '--forward-to', { type: 'url', repeatable: true }],
    ['listen', undefined, '--view', { choices: ['live', 'lines', 'quiet'], default: null }],
    ['trigger', undefined, '--forward-to', { type: 'url', required: true }],
    ['sync', undefined, '--deleted', { default: 'mark' }],
  ])('%s %s %s is %j', async (noun, verb, name, expected) => {
    const command = nodeOf(await treeOf('--help', '--json'), noun, verb)
    expect(optionOf(command, name)).toMatchObject(expected)
  })

  it('gives the global options once, and every exit code with its meaning', async () => {
    const tree = await treeOf('--help', '--json')
    expect(tree.name).toBe('formwire')
    expect(tree.version).toMatch(/^\d+\.\d+\.\d+/)
    expect(tree.global_options.map(({ name, short }) => [name, short])).toEqual([
      ['--base-url', null],
      ['--profile', null],
      ['--json', null],
      ['--yes', '-y'],
      ['--quiet', '-q'],
      ['--no-wait', null],
      ['--verbose', null],
      ['--no-color', null],
      ['--version', '-v'],
      ['--help', '-h'],
    ])
    expect(tree.global_options[2]).toMatchObject({ value: 'fields', value_optional: true })
    expect(tree.exit_codes).toEqual(
      Object.entries(EXIT_MEANING).map(([code, meaning]) => ({ code: Number(code), meaning })),
    )
  })

  it('prints only the commands that the command line names', async () => {
    expect(pathsOf(await treeOf('forms', '--help', '--json'))).toEqual([
      'forms list',
      'forms get',
      'forms close',
      'forms reopen',
      'forms rename',
    ])
    for (const argv of [
      ['forms', 'list', '--help', '--json'],
      ['--json', 'forms', 'ls', '-h'],
      ['help', 'forms', 'list', '--json'],
    ]) {
      expect(pathsOf(await treeOf(...argv))).toEqual(['forms list'])
    }
    for (const argv of [
      ['serve', '--help', '--json'],
      ['serve', '--json', '--help'],
      ['--json', 'serve', '--help'],
    ]) {
      expect(pathsOf(await treeOf(...argv))).toEqual(['serve'])
    }
    for (const argv of [['--json'], ['forms', '--json']]) {
      expect((await treeOf(...argv)).commands.length).toBeGreaterThan(0)
    }
  })

  it('is an error for an unknown command, as without --json', async () => {
    const { code, stdout, stderr } = await runCli(['nothing', '--help', '--json'])
    expect([code, stdout]).toEqual([2, ''])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', exit_code: 2 } })
  })
})
