/**
 * Writes `docs/conformance.md`: each rule of the service, what proves it, and over which transports. Fails when a rule
 * is not proven, an id is unknown, a test is skipped, or a transport is left out without a reason. `--check` writes
 * nothing and fails when the file is out of date.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { CASES } from '../packages/reference-server/test/conformance/every-transport/cases.ts'
import { collectTests } from './conformance/collect.ts'
import { findProblems } from './conformance/find-problems.ts'
import { render } from './conformance/render.ts'
import { RULES } from './conformance/rules.ts'
import { root } from './project/project.ts'

const file = `${root}docs/conformance.md`

const tests = await collectTests(root)
const problems = findProblems(RULES, CASES, tests)
const text = render(RULES, CASES, tests)
if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8').catch(() => '')) !== text)
    problems.push('docs/conformance.md is out of date; run "npx -y pnpm@12 conformance"')
} else {
  await writeFile(file, text)
}
for (const problem of problems) console.error(problem)
console.log(
  `${RULES.length} rules, ${CASES.length} cases, ${tests.length} tests, ${problems.length} problems`,
)
if (problems.length > 0) process.exitCode = 1
