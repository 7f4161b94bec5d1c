/**
 * Fails when a part of the repository has more lines of code than its budget in `line-budgets.json`. A commit that raises a budget
 * gives the reason in its body; a commit that deletes code lowers it.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { root } from './project/project.ts'

const CODE = /\.(?:ts|tsx|mts|mjs|cjs|js|css)$/
const budgets = JSON.parse(readFileSync(`${root}line-budgets.json`, 'utf8')) as Record<string, number>
const files = execFileSync('git', ['ls-files', 'packages/*/src/*', 'scripts', 'bench'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => CODE.test(file))

const lines: Record<string, number> = {}
for (const file of files) {
  const part = /^packages\/[^/]+|^[^/]+/.exec(file)?.[0] as string
  lines[part] = (lines[part] ?? 0) + readFileSync(root + file, 'utf8').split('\n').length - 1
}
for (const part of new Set([...Object.keys(lines), ...Object.keys(budgets)])) {
  const [have, budget] = [lines[part] ?? 0, budgets[part] ?? 0]
  console.log(`${part.padEnd(26)} ${String(have).padStart(6)} of ${budget}`)
  if (have <= budget) continue
  console.error(
    `${part} has ${have} lines, ${have - budget} more than its budget in line-budgets.json: delete some, or raise it and say why in the commit.`,
  )
  process.exitCode = 1
}
console.log(`${'all'.padEnd(26)} ${String(Object.values(lines).reduce((a, b) => a + b, 0)).padStart(6)}`)
