/**
 * Mutation tests: changes the sources one place at a time, as Stryker does, and reports the changes that no test of their package
 * notices. See docs/mutation.md.
 *
 *   mutation [PATH ...] [--sample N] [--seed S] [--tests PATH,...] [--most-tests N] [--cases] [--static]
 *            [--continue] [--fresh] [--report]
 *
 * PATH limits the sources, by the start of their paths; `--sample` draws so many changes (all without it), the same ones for the same
 * `--seed` (1 without it). `--tests` limits the tests, `--most-tests` those that a change runs with (20), `--cases` adds those with many
 * cases. `--static` loads the modules again for changes that only run while a module loads. A change that was noticed before does not run
 * again, unless `--fresh` is set; `--continue` also skips the test files of an interrupted run; `--report` only reports.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findingsIn } from './mutation/log.ts'
import { draw, listMutants, type Mutant, mutatedFiles } from './mutation/mutants.ts'
import { packageOf, testsOf } from './mutation/packages.ts'
import { classes, survivors, table } from './mutation/report.ts'
import { noticed, readResults, resultOf, writeResults } from './mutation/results.ts'
import { runStatic, runTests } from './mutation/run-tests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = `${root}node_modules/.cache/mutation`

/** The modules that decide whether a delivery is authentic: all their mutants run, whatever the size of the sample. */
const WHOLE = /^packages\/webhook-verify\/src\/verification\/(?:freshness|secrets|hmac|verify)\.ts$/

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    continue: { type: 'boolean', default: false },
    'most-tests': { type: 'string', default: '20' },
    cases: { type: 'boolean', default: false },
    static: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
})

// The sample is of everything, so that a part of it is the same changes.
const everything = await listMutants(root, mutatedFiles(root), `${cache}/mutants.json`)
const size = values.sample === undefined ? everything.mutants.length : Number(values.sample)
if (!Number.isInteger(size) || size < 1) {
  console.error(`"--sample" must be a whole number from 1, got "${values.sample}".`)
  process.exit(2)
}
const mostTests = Number(values['most-tests'])
if (!Number.isInteger(mostTests) || mostTests < 1) {
  console.error(`"--most-tests" must be a whole number from 1, got "${values['most-tests']}".`)
  process.exit(2)
}
const wanted = (file: string): boolean =>
  positionals.length === 0 || positionals.some((path) => file.startsWith(path))
const whole = everything.mutants.filter(({ file }) => WHOLE.test(file))
const rest = everything.mutants.filter(({ file }) => !WHOLE.test(file))
const sample = [...whole, ...draw(rest, size, values.seed)].filter(({ file }) => wanted(file))

const resultsFile = `${cache}/results.json`
if (values.fresh) rmSync(resultsFile, { force: true })
const results = readResults(resultsFile)

const packages = new Map<string, Mutant[]>()
for (const mutant of sample) {
  if (values.report || noticed(results[mutant.key])) continue
  const name = packageOf(mutant.file)
  packages.set(name, [...(packages.get(name) ?? []), mutant])
}
for (const [name, all] of packages) {
  const folder = `${cache}/${name.replace('/', '-')}`
  const before = findingsIn(folder)
  for (const { key } of all) {
    if (before.decided.has(key) && !values.fresh) results[key] = resultOf({ key }, before)
  }
  writeResults(resultsFile, results)
  const mutants = all.filter(({ key }) => !noticed(results[key]))
  const files = [...new Set(mutants.map(({ file }) => file))]
  const groups = testsOf(name, values.tests?.split(',') ?? [], values.cases)
  const sources = Object.fromEntries(files.map((file) => [file, everything.sources[file] as string]))
  if (!values.continue) {
    rmSync(folder, { recursive: true, force: true })
    rmSync(`${folder}-static`, { recursive: true, force: true })
  }
  console.log(`${name}: ${mutants.length} mutants`)
  const findings = await runTests({ root, folder, mutants, sources }, groups, mostTests)
  for (const mutant of mutants) results[mutant.key] = resultOf(mutant, findings)
  writeResults(resultsFile, results)
  const atLoad = mutants.filter(({ key }) => results[key]?.status === 'static')
  if (atLoad.length === 0 || !values.static) continue
  console.log(`  ${atLoad.length} mutants that run while a module loads`)
  const fails = (file: string): boolean =>
    [...findings.unusable].some((test) => test.startsWith(`${file} > `))
  const usable = [...new Set(groups.flatMap(({ tests }) => tests))].filter((file) => !fails(file))
  const again = await runStatic({ root, folder: `${folder}-static`, mutants: atLoad, sources }, usable)
  for (const mutant of atLoad) results[mutant.key] = resultOf(mutant, again)
  writeResults(resultsFile, results)
}

console.log(survivors(sample, results))
console.log(`\n${table(sample, results)}\n\n${classes(sample, results)}`)
