/**
 * Prints how many lines of source and of tests and how many words of documentation the repository has, and fails when a part of the
 * source has more lines than its budget in `line-budgets.json`. A commit that raises a budget gives the reason in its body; a commit
 * that deletes code lowers it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { read, root } from './project/project.ts'

/** The files of the repository; of an archive of the sources, all that git would not ignore. */
function allFiles(): string[] {
  try {
    const listed = execFileSync('git', ['ls-files', '-z'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    if (listed) return listed.split('\0').filter((file) => file && existsSync(root + file))
  } catch {
    // No git, or no clone.
  }
  const ignored = new Set(['.git', ...read('.gitignore').replaceAll(/\/$/gm, '').split('\n')])
  const below = (folder: string): string[] =>
    readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
      const path = folder + entry.name
      if (ignored.has(entry.name) || ignored.has(path)) return []
      return entry.isDirectory() ? below(`${path}/`) : [path]
    })
  return below('')
}

/** The part of the source that a file counts to, or undefined where it is none. */
function partOf(file: string): string | undefined {
  if (!/\.(?:[cm]?[jt]s|[jt]sx|css)$/.test(file)) return undefined
  const [part, folder] = /^(?:packages\/[^/]+|scripts|bench)(?=\/([^/]+))/.exec(file) ?? []
  if (!part?.startsWith('packages/')) return part
  if (folder === 'test') return undefined
  return folder === 'src' ? part : 'packages, outside src'
}

const isTest = (file: string): boolean =>
  /^(?:(?:packages|examples)\/[^/]+\/)?test\/.*\.(?:tsx?|[cm]js)$/.test(file)
const isDocument = (file: string): boolean => file.endsWith('.md') && !file.startsWith('docs/decisions/')

const linesOf = (file: string): number => read(file).split('\n').length - 1
const wordsOf = (file: string): number => read(file).match(/\S+/g)?.length ?? 0
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
const print = (name: string, count: number, rest = ''): void =>
  console.log(`${name.padEnd(26)} ${String(count).padStart(7)}${rest}`)

const files = allFiles()
const budgets = JSON.parse(read('line-budgets.json')) as Record<string, number>
const lines: Record<string, number> = {}
for (const file of files) {
  const part = partOf(file)
  if (part) lines[part] = (lines[part] ?? 0) + linesOf(file)
}
for (const part of new Set([...Object.keys(budgets), ...Object.keys(lines)])) {
  const [have, budget] = [lines[part] ?? 0, budgets[part] ?? 0]
  print(part, have, ` of ${budget}`)
  if (have <= budget) continue
  console.error(
    `${part} has ${have} lines, ${have - budget} more than its budget in line-budgets.json: delete some, or raise it and say why in the commit.`,
  )
  process.exitCode = 1
}
print('source, lines', sum(Object.values(lines)))
print('tests, lines', sum(files.filter(isTest).map(linesOf)))
print('documentation, words', sum(files.filter(isDocument).map(wordsOf)))
