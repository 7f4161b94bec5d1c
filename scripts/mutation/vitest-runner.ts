import { dirname, relative } from 'node:path'
import type { RunnerTestCase, RunnerTestFile } from 'vitest'
import { VitestTestRunner } from 'vitest/runners'
import { type Entry, type Findings, findingsIn, write } from './log.ts'
import { Plan } from './plan.ts'
import { readWork } from './work.ts'

/** What Stryker's instrumented sources read and count. */
interface Namespace {
  activeMutant: string
  currentTestId: string
  hitCount?: number
  hitLimit?: number
  /** Kept by the sources when they first run: only its members may be replaced. */
  mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> }
}

/** A mutant that runs so many times more often than the sources do, and never less than `LEAST_HITS`, is an endless loop. */
const MORE_OFTEN = 20
const LEAST_HITS = 2000

/** A test with a mutant may take so many times longer than without, and never less than `LEAST_TICKS`. */
const SLOWER = 10

/** The limit is counted in turns of the event loop, so that a machine that stands still is no reason. */
const TICK_MS = 100
const LEAST_TICKS = 30

const realSetImmediate = setImmediate

/** Runs each test with each mutant of the sample that it covers, in one process and without loading a module again. */
export default class MutationRunner extends VitestTestRunner {
  readonly #namespace: Namespace = namespace()
  readonly #log: string
  readonly #root: string
  readonly #pairs: Record<string, string[]>
  readonly #keys: Record<string, string>
  readonly #ids = new Map<string, string>()
  readonly #findings: Findings
  #ranMutants = false
  #unhandled = false
  #plan: Plan | undefined
  #usualMs = 0
  #startedAt = 0

  constructor(config: ConstructorParameters<typeof VitestTestRunner>[0]) {
    super(config)
    const work = readWork()
    this.#root = work.root
    this.#log = work.log
    this.#keys = work.keys
    this.#pairs = work.pairs
    for (const [id, key] of Object.entries(work.keys)) this.#ids.set(key, id)
    this.#findings = findingsIn(dirname(work.log))
    process.on('unhandledRejection', () => {
      this.#unhandled = true
    })
  }

  override onCollectStart(file: RunnerTestFile): void {
    this.#write({ type: 'file', file: relative(this.#root, file.filepath) })
    super.onCollectStart(file)
  }

  override async onAfterRunSuite(suite: Parameters<VitestTestRunner['onAfterRunSuite']>[0]): Promise<void> {
    await super.onAfterRunSuite(suite)
    if (!('filepath' in suite)) return
    const mutants = this.#keysOf(this.#namespace.mutantCoverage.static)
    const unknown = Object.keys(mutants).filter((mutant) => !this.#findings.static.has(mutant))
    this.#write({ type: 'static', mutants: unknown })
    this.#write({ type: 'file-done', file: relative(this.#root, (suite as RunnerTestFile).filepath) })
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test)
    if (test.mode !== 'run' && test.mode !== 'queued') return
    const name = `${relative(this.#root, test.file.filepath)} > ${fullName(test)}`
    const runsMutants = Object.keys(this.#pairs).length > 0
    if (this.#findings.unusable.has(name) || (runsMutants && !this.#pairs[name])) {
      test.mode = 'skip'
      return
    }
    const plan = new Plan({
      test: name,
      isSampled: (mutant) => this.#ids.has(mutant),
      mutants: new Set(this.#pairs[name]),
      findings: this.#findings,
      ranMutants: this.#ranMutants,
      write: (entry) => this.#write(entry),
    })
    this.#plan = plan
    test.retry = { count: Number.MAX_SAFE_INTEGER, condition: () => plan.more }
  }

  override onBeforeTryTask(test: RunnerTestCase): void {
    super.onBeforeTryTask(test)
    const { step, test: name, usualHits } = this.#plan as Plan
    this.#write(
      step.kind === 'mutant'
        ? { type: 'try', test: name, mutant: step.mutant as string }
        : { type: 'try', test: name },
    )
    this.#startedAt = performance.now()
    this.#namespace.currentTestId = step.kind === 'cover' ? 'cover' : 'other'
    this.#namespace.mutantCoverage.perTest = {}
    this.#namespace.hitCount = 0
    this.#namespace.hitLimit = LEAST_HITS + MORE_OFTEN * usualHits
    if (step.kind !== 'mutant') return
    this.#namespace.activeMutant = this.#ids.get(step.mutant as string) as string
    this.#ranMutants = true
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const run = VitestTestRunner.getTestFn(test)
    const { step, test: name } = this.#plan as Plan
    if (step.kind !== 'mutant') return run()
    let ticks = Math.max(LEAST_TICKS, (SLOWER * this.#usualMs) / TICK_MS)
    const timer = setInterval(() => {
      ticks -= 1
      if (ticks > 0) return
      this.#write({ type: 'timeout', mutant: step.mutant as string, test: name })
      this.#restart()
    }, TICK_MS)
    try {
      await run()
    } finally {
      clearInterval(timer)
    }
  }

  async onAfterRetryTask(test: RunnerTestCase): Promise<void> {
    const { result } = test
    const plan = this.#plan as Plan
    if (!result || result.state === 'skip') return
    // Node reports unhandled rejections, which fail a run of Vitest, after all that is ready has run.
    await new Promise((resolve) => realSetImmediate(resolve))
    const passed = result.state === 'pass' && !this.#unhandled
    this.#unhandled = false
    const hits = this.#namespace.hitCount ?? 0
    const covered = this.#keysOf(this.#namespace.mutantCoverage.perTest.cover ?? {})
    this.#namespace.activeMutant = ''
    this.#namespace.hitCount = 0
    const ms = performance.now() - this.#startedAt
    if (plan.step.kind === 'cover') this.#usualMs = ms
    plan.after({ passed, hits, ms, covered })
    // Vitest repeats a test that failed.
    result.state = plan.more ? 'fail' : 'pass'
    if (plan.more) result.errors = [{ message: 'the next mutant' }]
    else delete result.errors
    if (!plan.more) this.#namespace.currentTestId = ''
  }

  #keysOf(hits: Record<string, number>): Record<string, number> {
    const known = Object.entries(hits).filter(([id]) => this.#keys[id] !== undefined)
    return Object.fromEntries(known.map(([id, count]) => [this.#keys[id] as string, count]))
  }

  #write(entry: Entry): void {
    this.#findings.add(entry)
    write(this.#log, entry)
    if (entry.type === 'restart') this.#end()
  }

  #restart(): void {
    this.#write({ type: 'restart' })
  }

  /** Ends the whole process: work that a mutant has left must not go on in another test. */
  #end(): void {
    process.kill(process.pid, 'SIGKILL')
  }
}

function namespace(): Namespace {
  const globals = globalThis as { __stryker__?: Namespace }
  globals.__stryker__ ??= { activeMutant: '', currentTestId: '', mutantCoverage: { static: {}, perTest: {} } }
  return globals.__stryker__
}

function fullName(test: RunnerTestCase): string {
  const names = [test.name]
  for (let suite = test.suite; suite && suite !== test.file; suite = suite.suite) names.unshift(suite.name)
  return names.join(' > ')
}
