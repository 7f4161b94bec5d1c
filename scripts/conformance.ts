/**
 * Writes the matrix of rules for the documentation site: each rule of the service, what proves it, and over which transports. `--check`
 * fails when a rule is not proven, or an id is unknown.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CASES } from '../packages/reference-server/test/conformance/every-transport/cases.ts'
import { collectTests } from './conformance/collect.ts'
import { findProblems } from './conformance/find-problems.ts'
import { render, TABLE_FILE } from './conformance/render.ts'
import { RULES } from './conformance/rules.ts'
import { MATRIX, root } from './project/project.ts'

// Their titles are put together when they run.
const casesAsTests = CASES.map(({ rules, title }) => ({ rules, title, file: TABLE_FILE }))
const tests = [...(await collectTests(root)), ...casesAsTests]
mkdirSync(dirname(MATRIX), { recursive: true })
writeFileSync(MATRIX, render(RULES, CASES, tests))
if (process.argv.includes('--check')) {
  const problems = findProblems(RULES, CASES, tests)
  for (const problem of problems) console.error(problem)
  console.log(
    `${RULES.length} rules, ${CASES.length} cases, ${tests.length} tests, ${problems.length} problems`,
  )
  if (problems.length > 0) process.exitCode = 1
}
