/** The command lines that docs and READMEs show name commands and options that exist. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../packages/cli/src/all-commands.ts'
import { type CommandNode, commandTree, type GroupNode } from '../../packages/cli/src/help/command-tree.ts'
import { read, root } from '../../scripts/project/project.ts'

const pages = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'skills')).map((name) => `skills/${name}/SKILL.md`),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('.') && !name.startsWith('decisions'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(join(root, path))),
]

const tree = commandTree(COMMANDS)
const GLOBAL = new Set([
  '--help',
  '-h',
  '-v',
  ...tree.global_options.flatMap(({ name, short }) => [name, short]),
])

const isGroup = (node: CommandNode | GroupNode): node is GroupNode => 'commands' in node

/** Returns what is wrong with the words after `formwire`. */
function problemOf(words: readonly string[]): string | undefined {
  const names = words.filter((word) => !word.startsWith('-'))
  // A command and a group may share a name, such as sync.
  const nodes = tree.commands.filter(({ name }) => name === names[0])
  if (nodes.length === 0) return /^[a-z-]+$/.test(names[0] ?? '') ? `no command "${names[0]}"` : undefined
  const verbs = nodes.find(isGroup)?.commands ?? []
  const node =
    verbs.find(({ name, alias }) => name === names[1] || alias === names[1]) ??
    nodes.find((one): one is CommandNode => !isGroup(one))
  if (!node)
    return names[1] === undefined || /[|,…]/.test(names[1])
      ? undefined
      : `no command "${names[0]} ${names[1]}"`
  // Every option after serve goes to the server.
  if (node.name === 'serve') return undefined
  const own = new Set(node.options.flatMap(({ name, short }) => [name, short]))
  const end = words.indexOf('--')
  const unknown = words
    .slice(0, end < 0 ? undefined : end)
    .map((word) => /^(--?[a-zA-Z][\w-]*)/.exec(word)?.[1])
    .find((option) => option !== undefined && !own.has(option) && !GLOBAL.has(option))
  return unknown === undefined ? undefined : `"${node.name}" has no option ${unknown}`
}

/** Returns the command lines of a page: in code spans, and in blocks. */
function commandsOf(text: string): string[] {
  const spans = [...text.matchAll(/`(?:npx )?formwire ([^`\n]+)`/g)]
  const lines = [...text.matchAll(/^\$? ?(?:\w+=\S* )*(?:npx )?formwire ([^\n]+)$/gm)]
  return [...spans, ...lines].map(([, command]) =>
    (command as string).replace(/\$\(.*\)/g, 'VALUE').replace(/\s+#.*$/, ''),
  )
}

describe('command lines in documents', () => {
  it.each(pages)('%s names commands and options that exist', (page) => {
    const problems = commandsOf(read(page)).flatMap((command) => {
      // Only the command itself, not what its output is piped into.
      const words = (command.split(/\s[|<>]\s?|\s&&\s/)[0] as string).split(/\s+/)
      const problem = problemOf(words)
      return problem === undefined ? [] : [`formwire ${command}: ${problem}`]
    })
    expect(problems).toEqual([])
  })

  it('would show an option that a command does not have', () => {
    expect(problemOf(['listen', '--forms', 'x'])).toBe('"listen" has no option --forms')
  })
})
