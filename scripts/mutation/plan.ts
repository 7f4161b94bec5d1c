import type { Entry, Findings } from './log.ts'

/** One run of a test: with the sources as they are, or with a mutant. */
export interface Step {
  kind: 'cover' | 'check' | 'mutant' | 'proof'
  mutant?: string
}

/** How a run of a test ended. */
export interface Outcome {
  passed: boolean
  /** How often the mutant of the step ran. */
  hits: number
  ms: number
  /** For `cover`: the mutants that the test ran, and how often. */
  covered?: Record<string, number>
}

/** What a plan has to know. */
export interface PlanSetting {
  test: string
  isSampled(mutant: string): boolean
  /** The mutants that the test runs with. */
  mutants: ReadonlySet<string>
  findings: Findings
  /** Mutants ran in this process before this test. */
  ranMutants: boolean
  write(entry: Entry): void
}

/**
 * Decides how often, and with which mutants, a test runs: first to see which mutants it covers; again, because only a test that
 * passes twice in the same process can decide; then once with each mutant. After a failure it runs without the mutant: when it
 * passes, the failure was the mutant's. When it does not, an earlier mutant may have left something behind, and the test repeats it in
 * a new process.
 */
export class Plan {
  step: Step = { kind: 'cover' }
  /** The test runs again. */
  more = true
  #waiting: string[] = []
  #hits: Record<string, number> = {}
  /** The test has passed without a mutant just before this step. */
  #clean = false

  readonly #setting: PlanSetting

  constructor(setting: PlanSetting) {
    this.#setting = setting
  }

  /** The test of this plan. */
  get test(): string {
    return this.#setting.test
  }

  /** How often the mutant of the step ran when the test covered it. */
  get usualHits(): number {
    return this.#hits[this.step.mutant ?? ''] ?? 0
  }

  after(outcome: Outcome): void {
    this.more = this.#next(outcome)
  }

  #next({ passed, hits, ms, covered = {} }: Outcome): boolean {
    const { kind, mutant = '' } = this.step
    if (kind === 'cover') return this.#cover(passed, ms, covered)
    if (kind === 'check') {
      if (!passed) return this.#end({ type: 'unusable', test: this.test })
      this.#clean = true
      return this.#nextMutant()
    }
    if (kind === 'proof') {
      const decided = this.#setting.findings.decided.has(mutant)
      if (!decided) this.#setting.write({ type: passed ? 'killed' : 'suspect', mutant, test: this.test })
      if (!passed) return this.#end({ type: 'restart' })
      this.#clean = true
      return this.#nextMutant()
    }
    if (passed) {
      this.#setting.write({ type: hits > 0 ? 'survived' : 'kept', mutant, test: this.test })
      this.#clean = false
      return this.#nextMutant()
    }
    if (this.#clean) this.#setting.write({ type: 'killed', mutant, test: this.test })
    this.step = { kind: 'proof', mutant }
    return true
  }

  #cover(passed: boolean, ms: number, covered: Record<string, number>): boolean {
    const { findings, isSampled, ranMutants, write } = this.#setting
    if (!passed) {
      const first = ranMutants && !findings.doubted.has(this.test)
      return first
        ? this.#end({ type: 'doubt', test: this.test }, { type: 'restart' })
        : this.#end({ type: 'unusable', test: this.test })
    }
    this.#hits = covered
    const mutants = Object.keys(covered).filter((mutant) => isSampled(mutant))
    write({ type: 'covered', test: this.test, ms: Math.round(ms), mutants })
    this.#waiting = mutants
      .filter((mutant) => this.#setting.mutants.has(mutant))
      .filter((mutant) => !findings.decided.has(mutant) && !findings.passed(mutant, this.test))
      // Last comes first: a suspect is decided before others can leave something behind.
      .sort((a, b) => Number(this.#suspect(a)) - Number(this.#suspect(b)))
    this.step = { kind: 'check' }
    return this.#waiting.length > 0
  }

  #nextMutant(): boolean {
    const mutant = this.#waiting.pop()
    this.step = mutant === undefined ? { kind: 'check' } : { kind: 'mutant', mutant }
    return mutant !== undefined
  }

  #suspect(mutant: string): boolean {
    return this.#setting.findings.suspect(mutant, this.test)
  }

  #end(...entries: Entry[]): false {
    for (const entry of entries) this.#setting.write(entry)
    return false
  }
}
