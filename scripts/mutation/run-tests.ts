import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, Findings, findingsIn, read, write } from './log.ts'
import type { Mutant } from './mutants.ts'
import { nearness, type TestGroup } from './packages.ts'
import { WORK, type Work } from './work.ts'

/** Milliseconds without an entry in the log after which a process hangs: with a mutant, and otherwise. */
const SILENCE_MS = { mutant: 30_000, otherwise: 180_000 }

/** Milliseconds between two looks at the log. */
const LOOK_MS = 5_000

/** A process that ends so many times in a row without having decided anything has a problem of its own. */
const MOST_FAILURES = 5

interface Run {
  root: string
  /** Where the logs, the work and scratch files are. */
  folder: string
  mutants: readonly Mutant[]
  sources: Record<string, string>
}

/** Tests that take longer do not run with mutants. */
const SLOW_MS = 2_000

/**
 * Runs each test once to see which mutants it covers, and then each mutant with the tests that cover it, until one notices it. Most
 * specific tests come first: nearly every test of a server runs its router, few run one of its rules.
 *
 * @param mostTests tests that a mutant runs with at most.
 */
export async function runTests(run: Run, groups: readonly TestGroup[], mostTests: number): Promise<Findings> {
  for (const group of groups) {
    const { tests } = group
    await untilDone(run, { ...group, name: `cover-${group.name}` }, {}, ({ filesDone }) =>
      tests.filter((file) => !filesDone.has(file)),
    )
  }
  const pairs = specificTests(run.mutants, findingsIn(run.folder), mostTests)
  for (const group of groups) {
    const tests = group.tests.filter((file) =>
      Object.keys(pairs).some((test) => test.startsWith(`${file} > `)),
    )
    await untilDone(run, group, pairs, ({ filesDone }) => tests.filter((file) => !filesDone.has(file)))
  }
  return findingsIn(run.folder)
}

/**
 * Returns the mutants to run with each test. A test is more specific to a mutant if it covers few mutants in little time, and if its file
 * belongs to the folder, or has the name, of the source file.
 */
function specificTests(
  mutants: readonly Mutant[],
  { coverage, unusable }: Findings,
  mostTests: number,
): Record<string, string[]> {
  const tests = new Map<string, { test: string; cost: number }[]>()
  for (const [test, { ms, mutants }] of coverage) {
    if (ms > SLOW_MS || unusable.has(test)) continue
    const cost = (20 + mutants.length) * (20 + ms)
    for (const mutant of mutants) tests.set(mutant, [...(tests.get(mutant) ?? []), { test, cost }])
  }
  const pairs: Record<string, string[]> = {}
  for (const { key, file } of mutants) {
    const specific = (tests.get(key) ?? [])
      .map(({ test, cost }) => ({ test, cost: cost / nearness(file, test) }))
      .sort((a, b) => a.cost - b.cost)
    for (const { test } of specific.slice(0, mostTests)) {
      pairs[test] ??= []
      pairs[test].push(key)
    }
  }
  return pairs
}

/** Loads all modules again for each mutant, and runs the tests of the nearest folder. Returns what was found. */
export async function runStatic(run: Run, tests: string[]): Promise<Findings> {
  const group = { name: 'static', tests, isolate: true }
  return untilDone(run, group, undefined, ({ filesDone }) => (filesDone.has('static') ? [] : tests))
}

/** Starts the process with the tests again, where it was, whenever a mutant hangs, crashes or leaves something behind. */
async function untilDone(
  { root, folder, mutants, sources }: Run,
  { name, isolate }: TestGroup,
  pairs: Record<string, string[]> | undefined,
  testsLeft: (findings: Findings) => string[],
): Promise<Findings> {
  mkdirSync(folder, { recursive: true })
  const isStatic = pairs === undefined
  const log = join(folder, `${name}.jsonl`)
  const path = join(folder, 'work.json')
  const keys = Object.fromEntries(mutants.map(({ id, key }) => [id, key]))
  const files = Object.fromEntries(mutants.map(({ id, file }) => [id, file]))
  let failures = 0
  for (;;) {
    const findings = new Findings(read(log))
    const tests = testsLeft(findings)
    if (tests.length === 0) return findings
    const work: Work = {
      root,
      log,
      keys,
      files,
      static: isStatic,
      isolate,
      pairs: pairs ?? {},
      tests,
      sources,
    }
    writeFileSync(path, JSON.stringify(work))
    const before = progress(log)
    const output = await runProcess(root, path, log, join(folder, 'tmp'), isStatic)
    blame(log, read(log).at(-1))
    failures = progress(log) > before ? 0 : failures + 1
    if (failures === MOST_FAILURES) throw new Error(`The tests do not run:\n${output}`)
  }
}

function progress(log: string): number {
  return read(log).filter(({ type }) => type !== 'file' && type !== 'try' && type !== 'restart').length
}

/** A process that did not end itself was ended by what it ran last. */
function blame(log: string, last: Entry | undefined): void {
  if (last?.type !== 'try') return
  if (last.mutant) write(log, { type: 'timeout', mutant: last.mutant, test: last.test })
  else write(log, { type: 'unusable', test: last.test })
}

function runProcess(
  root: string,
  work: string,
  log: string,
  scratch: string,
  isStatic: boolean,
): Promise<string> {
  const [program, ...options] = isStatic
    ? ['tsx', 'scripts/mutation/static.ts']
    : ['vitest', 'run', '--config', 'scripts/mutation/vitest.config.ts']
  return new Promise((resolve, reject) => {
    mkdirSync(scratch, { recursive: true })
    const child = spawn(join(root, 'node_modules/.bin', program as string), options, {
      cwd: root,
      env: { ...process.env, CI: '', TMPDIR: scratch, [WORK]: work },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (chunk: Buffer): void => {
      output = (output + chunk).slice(-20_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    let size = 0
    let silentMs = 0
    const watch = setInterval(() => {
      const now = existsSync(log) ? statSync(log).size : 0
      silentMs = now === size ? silentMs + LOOK_MS : 0
      size = now
      if (silentMs < SILENCE_MS.mutant) return
      const last = read(log).at(-1)
      const isMutant = last?.type === 'try' && last.mutant !== undefined
      if (silentMs >= (isMutant ? SILENCE_MS.mutant : SILENCE_MS.otherwise)) child.kill('SIGKILL')
    }, LOOK_MS)
    child.on('error', reject)
    child.on('close', () => {
      clearInterval(watch)
      rmSync(scratch, { recursive: true, force: true })
      resolve(output)
    })
  })
}
