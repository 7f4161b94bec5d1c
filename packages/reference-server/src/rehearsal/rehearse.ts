import {
  EXPECTATIONS,
  KIND_NAMES,
  LARGEST_SEED,
  MAX_RUNS,
  PROFILES,
  type RehearsalKind,
  type RehearsalProfile,
} from '@formwire/internal/rehearsal-kinds'
import { describeUnknown, namesOf, OptionError, quote, refuseUnknownOptions } from '../known-names.ts'
import { systemNow } from '../real-timers.ts'
import { isSuccess } from './courier.ts'
import { schedulesOf } from './draw.ts'
import { likelyCause } from './likely.ts'
import type { RehearsedProgram } from './program.ts'
import { type RunOutcome, runSchedule } from './run.ts'
import { MAX_RESPONSES, readSchedule, type Schedule } from './schedule.ts'
import { AGAIN_MS, kindsOf, shrink } from './shrink.ts'
import type { TraceEntry } from './trace.ts'
import type { Expectation, Verdict, VerdictKind } from './verdict.ts'

/** Options of `rehearse`: what is rehearsed, and how. */
export interface RehearseOptions extends RehearsedProgram {
  /** Path that the program receives deliveries at, such as `/webhooks`. @default no endpoint */
  webhook?: string | undefined
  /** What the program promises: `at-least-once` may handle a response twice, `at-most-once` may lose one. @default 'exactly-once' */
  expect?: Expectation | undefined
  /** Whether every response must be handled, also one that was never delivered. @default whether the program reads the list of responses, or has no webhook */
  complete?: boolean | undefined
  /** Whether responses that were deleted must no longer be among those that were handled. @default false */
  deletions?: boolean | undefined
  /** The only kinds of events that happen. @default all */
  only?: readonly RehearsalKind[] | undefined
  /** Kinds of events that do not happen. @default [] */
  without?: readonly RehearsalKind[] | undefined
  /** How much happens in a run: to one in ten responses (`gentle`), to four, or to eight (`harsh`), beside restarts and outages. Except in `gentle` runs, the service writes timestamps in another format for three in ten schedules. @default 'normal' */
  profile?: RehearsalProfile | undefined
  /** Number of runs, each with a schedule and a server of its own: 1 to 1,000,000. @default 20; 1 with `schedule` */
  runs?: number | undefined
  /** Real milliseconds after which no further run begins. @default unlimited */
  timeMs?: number | undefined
  /** Seed of the schedules, an integer: the same seed draws the same ones. @default 1 */
  seed?: number | undefined
  /** Number of responses of a run: 1 to 1,000. @default 20 */
  responses?: number | undefined
  /** What the pauses between attempts are divided by. On the manual clock, a millisecond of the schedule also stands for so many. @default 1000 */
  speed?: number | undefined
  /** A schedule to play in each run, in place of drawn ones. It is checked, since it may come from a file, and neither confirmed nor reduced. */
  schedule?: Schedule | undefined
  /** `manual`: the time of the service moves with the schedule only, so that the same seed gives the same run. `real`: for programs in other processes. @default 'manual' */
  clock?: 'manual' | 'real' | undefined
  /** Called before each run, and before a run that broke is played again or reduced. */
  onProgress?: ((progress: RehearsalProgress) => void) | undefined
  /** Ends the rehearsal; the current run is not counted. The report has the runs before it. */
  signal?: AbortSignal | undefined
}

/** How far a rehearsal is, as passed to `onProgress`. */
export interface RehearsalProgress {
  /** `confirming`: a run that broke is played again. `shrinking`: it is reduced. */
  readonly phase: 'running' | 'confirming' | 'shrinking'
  /** Runs that did not break so far. */
  readonly passed: number
  /** Runs that broke so far, but not each time. */
  readonly flaky: number
  /** Runs in all, as the option says. */
  readonly runs: number
  /** While it is reduced: the simpler schedules that were tried, and about how many there are. */
  readonly tries?: { readonly done: number; readonly about: number }
}

/** How a rehearsal went. */
export interface RehearsalReport {
  /** Seed that the schedules were drawn from. */
  readonly seed: number
  /** Runs that were played: `passed + failed + flaky`. */
  readonly runs: number
  /** Runs that did not break. */
  readonly passed: number
  /** 1 when a run broke three times of three: the rehearsal ends with it. */
  readonly failed: number
  /** Runs that broke, but not each time. */
  readonly flaky: number
  /** How a run broke: the one that failed, or else the first flaky one. `null` when none broke. */
  readonly failure: RehearsalFailure | null
}

/** How a run broke. */
export interface RehearsalFailure {
  /** `invented`: an id was returned that no submitted response has. `not_reachable`: the program did not start in time, neither receives nor reads anything, or could not be asked. */
  readonly verdict: VerdictKind
  /** Ids of the responses that went wrong; empty if the verdict is about the program itself. */
  readonly responseIds: readonly number[]
  /** How the program ended, or why it could not be asked; `null` without more to say. */
  readonly detail: string | null
  /** What class of bug it looks like, in one sentence. */
  readonly likely: string
  /** Fraction of the plays of this schedule that broke: 1 unless the run was flaky. */
  readonly rate: number
  /** How often this schedule was played. */
  readonly plays: number
  /** What happened in the shortest schedule that still breaks. */
  readonly steps: readonly RehearsalStep[]
  /** That schedule, to play it again. */
  readonly schedule: Schedule
}

/** A step of the failing schedule: `at_ms` milliseconds after the start of the run, what happened, and in words. */
export type RehearsalStep = Pick<TraceEntry, 'at_ms' | 'kind' | 'text'>

const OPTIONS = namesOf<RehearseOptions>({
  start: true,
  handled: true,
  webhook: true,
  expect: true,
  complete: true,
  deletions: true,
  only: true,
  without: true,
  profile: true,
  runs: true,
  timeMs: true,
  seed: true,
  responses: true,
  speed: true,
  schedule: true,
  clock: true,
  onProgress: true,
  signal: true,
})

/** Schedules that are drawn at a time. */
const BATCH = 50
/** How often a schedule that broke is played in all. */
const CONFIRMATIONS = 3
/** Runs that may break without doing so each time, before the rehearsal ends: one more would say nothing new. */
const FLAKY_MAX = 3
/** Real milliseconds that a program has at least to catch up when a schedule is played again: longer than a Retry-After. */
const LEAST_PATIENCE_MS = 2500
/** Responses of a run in which nothing else happens. */
const CALM_RESPONSES = 5
/** Longest real time to shrink schedules. */
const SHRINK_MS = 60_000

/** Checks the options, and rehearses. */
export async function runRehearsal(options: RehearseOptions): Promise<RehearsalReport> {
  const { runs, seed, onProgress, timeMs, signal } = checkOptions(options)
  const { clock = 'manual', speed = 1000, expect = 'exactly-once', deletions = false } = options
  const { webhook, complete } = options
  const settings = { program: options, clock, webhook, speed, expect, complete, deletions, signal }
  const end = systemNow() + timeMs
  const counts = { passed: 0, flaky: 0 }
  let failure: RehearsalFailure | null = null
  /** Whether the program was ever seen to have handled anything. */
  let hasHandled = false
  /** Real milliseconds that the program was seen to need. */
  let slowest = 0
  let shrinkMs = SHRINK_MS
  const tell = (phase: RehearsalProgress['phase'], tries?: RehearsalProgress['tries']): void =>
    onProgress?.({ phase, ...counts, runs, ...(tries && { tries }) })
  const report = (failed: number): RehearsalReport => ({
    seed,
    runs: counts.passed + counts.flaky + failed,
    ...counts,
    failed,
    failure,
  })
  for await (const schedule of drawn(options, runs, seed)) {
    if (signal.aborted || systemNow() >= end) break
    tell('running')
    const outcome = await runSchedule(schedule, settings)
    if (signal.aborted) break
    hasHandled ||= outcome.hasHandled
    if (!outcome.verdict) {
      counts.passed += 1
      slowest = Math.max(slowest, outcome.caughtUpMs)
      continue
    }
    // A schedule of the user is what it is. A program that passed runs before may only have been slow to answer.
    const isMute = outcome.verdict.kind === 'not_reachable' && counts.passed === 0
    if (isMute || options.schedule) {
      failure = failureOf(outcome, outcome.verdict, schedule, { rate: 1, plays: 1 })
      return report(1)
    }
    // Nothing was ever handled: before the schedule is reduced, whether that is so when nothing happens.
    if (outcome.verdict.kind === 'lost' && !hasHandled) {
      const calm: Schedule = {
        version: 1,
        responses: schedule.responses.slice(0, CALM_RESPONSES).map(({ at_ms }) => ({ at_ms })),
        steps: [],
      }
      const again = await runSchedule(calm, settings, LEAST_PATIENCE_MS)
      if (signal.aborted) break
      const { verdict, polls, factsOf } = again
      const isSeen = polls || verdict?.responseIds.some((id) => factsOf(id)?.answers.some(isSuccess))
      if (verdict?.kind === 'lost' && !again.hasHandled && isSeen) {
        failure = failureOf(again, verdict, calm, { rate: 1, plays: 1, isBlind: true })
        return report(1)
      }
      hasHandled = again.hasHandled
    }
    // What a program has not handled by now it has lost, as far as it was seen to work.
    const isSeen = counts.passed === 0 || Number.isFinite(outcome.caughtUpMs)
    if (isSeen) slowest = Math.max(slowest, outcome.caughtUpMs)
    const patience = Math.max(LEAST_PATIENCE_MS, 3 * slowest)
    const { kind } = outcome.verdict
    /** Whether it breaks in the same way. */
    const breaks = async (candidate: Schedule): Promise<RunOutcome | undefined> => {
      const again = await runSchedule(candidate, settings, patience)
      return again.verdict?.kind === kind && !signal.aborted ? again : undefined
    }
    tell('confirming')
    const rateOf = async (candidate: Schedule, broken = 0): Promise<number> => {
      let count = broken
      for (let again = broken; again < CONFIRMATIONS; again += 1) if (await breaks(candidate)) count += 1
      return count / CONFIRMATIONS
    }
    let rate = await rateOf(schedule, 1)
    // What breaks each time must do so when it is simpler, or it would pass when it is played again. What does not break each
    // time often does once nothing else happens.
    const [needed, plays] = rate < 1 ? [1, CONFIRMATIONS] : settings.clock === 'real' ? [2, 2] : [1, 1]
    let last = outcome
    const breaksOften = async (candidate: Schedule): Promise<boolean> => {
      let broken = 0
      for (let missed = 0; broken < needed && missed <= plays - needed; ) {
        const again = await breaks(candidate)
        if (again) {
          last = again
          broken += 1
        } else missed += 1
      }
      return broken === needed
    }
    const begun = systemNow()
    const smallest = await shrink(
      schedule,
      breaksOften,
      () => signal.aborted || systemNow() - begun >= shrinkMs,
      (done, about) => tell('shrinking', { done, about }),
    )
    shrinkMs -= systemNow() - begun
    // It broke once while it was reduced.
    if (rate < 1 && smallest !== schedule) rate = await rateOf(smallest, 1)
    if (rate === 1 || counts.flaky === 0)
      failure = failureOf(last, last.verdict as Verdict, smallest, { rate, plays: CONFIRMATIONS })
    if (rate === 1) return report(1)
    counts.flaky += 1
    if (counts.flaky === FLAKY_MAX) break
  }
  return report(0)
}

/** Yields the schedules of the runs. */
async function* drawn(options: RehearseOptions, runs: number, seed: number): AsyncGenerator<Schedule> {
  const { schedule, responses, profile, webhook, only = KIND_NAMES, without = [] } = options
  if (schedule) {
    for (let run = 0; run < runs; run += 1) yield schedule
    return
  }
  const { default: fc } = await import('fast-check')
  const arbitrary = schedulesOf(fc, {
    responses,
    profile,
    webhook: webhook !== undefined,
    kinds: only.filter((kind) => !without.includes(kind)),
  })
  for (let first = 0; first < runs; first += BATCH) {
    const batch = { seed: (seed + Math.imul(first, 0x9e3779b1)) | 0, numRuns: BATCH }
    yield* fc.sample(arbitrary, batch).slice(0, runs - first)
  }
}

function failureOf(
  outcome: RunOutcome,
  verdict: Verdict,
  schedule: Schedule,
  { rate, plays, isBlind = false }: { rate: number; plays: number; isBlind?: boolean },
): RehearsalFailure {
  const { trace, factsOf, polls, turnsPages, drafts } = outcome
  const [first] = verdict.responseIds
  const facts = first === undefined ? undefined : factsOf(first)
  const likely = likelyCause({
    verdict,
    kinds: kindsOf(schedule),
    answers: facts?.answers ?? [],
    isSilent: facts?.isSilent ?? false,
    comesAgain:
      !overlaps(trace, first) &&
      schedule.responses.some(({ delivery = [] }) =>
        delivery.some((trouble) => trouble.kind === 'duplicate' && trouble.after_ms >= AGAIN_MS),
      ),
    timestamps: schedule.timestamps ?? 'milliseconds',
    isFlooded: schedule.steps.some(({ kind }) => kind === 'burst'),
    polls,
    turnsPages,
    wasDraft: first !== undefined && drafts.has(first),
    isBlind,
  })
  const isTold = ({ responseId }: TraceEntry): boolean =>
    responseId === undefined || verdict.responseIds.includes(responseId)
  const steps = trace.filter(isTold).map(({ at_ms, kind, text }) => ({ at_ms, kind, text }))
  const { kind, responseIds, detail = null } = verdict
  return { verdict: kind, responseIds, detail, likely, rate, plays, steps, schedule }
}

/** Whether a second attempt of a response reached the program before it had answered the first one. */
function overlaps(trace: readonly TraceEntry[], responseId: number | undefined): boolean {
  const own = trace.filter((entry) => entry.responseId === responseId)
  const answered = own.findIndex(({ kind }) => kind === 'answer')
  return own.slice(0, Math.max(0, answered)).filter(({ kind }) => kind === 'attempt').length > 1
}

/** @throws OptionError */
function checkOptions(options: RehearseOptions) {
  refuseUnknownOptions(options, OPTIONS, 'rehearse')
  const { webhook, profile, only = [], without = [], schedule, expect, clock, timeMs } = options
  for (const name of ['start', 'handled'] as const)
    if (typeof options[name] !== 'function') throw new OptionError(`${name} must be a function.`)
  const oneOf = (name: string, value: string | undefined, known: readonly string[]): void => {
    if (value !== undefined && !known.includes(value))
      throw new OptionError(describeUnknown(name, String(value), known))
  }
  for (const kind of [...only, ...without]) oneOf('kind', kind, KIND_NAMES)
  oneOf('profile', profile, Object.keys(PROFILES))
  oneOf('promise', expect, EXPECTATIONS)
  oneOf('clock', clock, ['manual', 'real'])
  if (timeMs !== undefined && !(timeMs > 0))
    throw new OptionError(`timeMs must be milliseconds greater than 0, got ${quote(timeMs)}.`)
  if (webhook !== undefined && !webhook.startsWith('/'))
    throw new OptionError(`webhook must be a path that begins with /, got ${quote(webhook)}.`)
  if (schedule !== undefined) readSchedule(schedule)
  const count = (
    name: 'runs' | 'responses' | 'speed' | 'seed',
    fallback: number,
    max: number,
    min = 1,
  ): number => {
    const value = options[name] ?? fallback
    if (Number.isInteger(value) && value >= min && value <= max) return value
    throw new OptionError(`${name} must be an integer from ${min} to ${max}, got ${quote(value)}.`)
  }
  count('responses', 20, MAX_RESPONSES)
  count('speed', 1000, 1_000_000)
  return {
    runs: count('runs', schedule ? 1 : 20, MAX_RUNS),
    seed: count('seed', 1, LARGEST_SEED, 0),
    timeMs: timeMs ?? Number.POSITIVE_INFINITY,
    onProgress: options.onProgress,
    signal: options.signal ?? new AbortController().signal,
  }
}
