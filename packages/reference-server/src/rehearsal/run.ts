import { setMaxListeners } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RehearsalKind } from '@formwire/internal/rehearsal-kinds'
import { RunningTime } from '../clock/running-time.ts'
import { OptionError, quote } from '../known-names.ts'
import { elapsedTime, sleep } from '../real-timers.ts'
import { type DeliveryFacts, isSuccess } from './courier.ts'
import type { RehearsalProgram, RehearsedProgram } from './program.ts'
import type { Schedule, ScheduledResponse, ScheduledStep, StopMoment } from './schedule.ts'
import { Stage } from './stage.ts'
import type { TraceEntry } from './trace.ts'
import {
  describe,
  type Expectation,
  ended,
  IDLE,
  judge,
  MUTE,
  READY_MS,
  type RunFacts,
  type Verdict,
  type VerdictKind,
  withoutRoute,
} from './verdict.ts'

/** How runs are made, and what is expected of the program. */
export interface RunSettings {
  readonly program: RehearsedProgram
  readonly clock: 'real' | 'manual'
  readonly webhook: string | undefined
  readonly speed: number
  readonly expect: Expectation
  /** @default whether the program reads the list of responses, or has no webhook */
  readonly complete: boolean | undefined
  readonly deletions: boolean
  readonly signal: AbortSignal
}

/** How a run went. */
export interface RunOutcome {
  /** `undefined`: nothing broke. */
  readonly verdict: Verdict | undefined
  readonly trace: readonly TraceEntry[]
  readonly polls: boolean
  /** Whether the program has read more than the first page of the list. */
  readonly turnsPages: boolean
  /** What is known of the attempts of a response. */
  readonly factsOf: (responseId: number) => DeliveryFacts | undefined
  readonly drafts: ReadonlySet<number>
  /** Real milliseconds that the program took to catch up; when it did not, how slow it was seen to be: infinite when it was not seen to do anything. */
  readonly caughtUpMs: number
  /** Whether the program was ever seen to have handled anything. */
  readonly hasHandled: boolean
}

/** Real milliseconds in which the deliveries of a schedule must end. */
const DELIVERIES_MS = 60_000
/** Real milliseconds in which a program must catch up: with what the API shows, or with what was delivered. */
const CATCH_UP_MS = { complete: 30_000, delivered: 8_000, manual: 500 }
/** Real milliseconds in which a program that has read the list before reads it again, if it polls. */
const POLL_MS = 2_000
/** Real milliseconds in which a program can be asked what it has handled. */
const ASK_MS = 5_000
/** What shows that a program will not catch up: it has read the list so often, for so long, and handled nothing. */
const IN_VAIN = { reads: 25, ms: 2_000 }
/** Real milliseconds in which a program that has caught up could still handle something twice: twice as long as it took, within these. */
const SETTLE_MS = { min: 120, max: 1000 }
/** Real milliseconds that a page is held for, so that something can happen before it is read. */
const PAGE_HELD_MS = 15
/** More than are submitted while a page is read, which would make up for it. */
const DELETED_AT_ONCE = 4
/** Answers of a program that has no route for deliveries. */
const NO_ROUTE: ReadonlySet<number | undefined> = new Set([404, 405])
const API_PATHS = ['/api/v1/*', '/api/v1/*/*', '/api/v1/*/*/*', '/api/v1/*/*/*/*']

/** Something that happens at a time of the schedule: to a response, or with a step, which begins and may end. */
interface Moment {
  readonly at: number
  readonly does: 'save' | 'submit' | 'delete' | 'begin' | 'end'
  /** Of the response or the step. */
  readonly index: number
}

/** Returns what happens in a schedule, in order. */
function timeline({ responses, steps }: Schedule): Moment[] {
  const moments: Moment[] = []
  for (const [index, { at_ms, draft_ms, delete_ms }] of responses.entries()) {
    const at = at_ms + (draft_ms ?? 0)
    if (draft_ms !== undefined) moments.push({ at: at_ms, does: 'save', index })
    if (draft_ms === null) continue
    moments.push({ at, does: 'submit', index })
    if (delete_ms !== undefined) moments.push({ at: at + delete_ms, does: 'delete', index })
  }
  for (const [index, step] of steps.entries()) {
    moments.push({ at: step.at_ms, does: 'begin', index })
    if ('for_ms' in step) moments.push({ at: step.at_ms + step.for_ms, does: 'end', index })
  }
  return moments.sort((a, b) => a.at - b.at)
}

/**
 * Runs a program through a schedule, against a server of its own.
 *
 * @param patienceMs Longest real time to wait for the program to catch up. @default as the documentation says
 */
export async function runSchedule(
  schedule: Schedule,
  settings: RunSettings,
  patienceMs?: number,
): Promise<RunOutcome> {
  const directory = await mkdtemp(join(tmpdir(), 'formwire-rehearsal-'))
  const ending = new AbortController()
  const signal = AbortSignal.any([settings.signal, ending.signal])
  // Every attempt that is open listens to it.
  setMaxListeners(Number.POSITIVE_INFINITY, signal)
  const run = new Run(schedule, settings, directory, signal)
  try {
    return await run.run(patienceMs)
  } finally {
    ending.abort()
    await run.close().finally(() => rm(directory, { recursive: true, force: true }))
  }
}

class Run {
  readonly #schedule: Schedule
  readonly #settings: RunSettings
  readonly #directory: string
  readonly #signal: AbortSignal
  #stage!: Stage
  #program: RehearsalProgram | undefined
  /** Stands for the program while it is ready. Each start has its own: a program may give one object for all. */
  #running: object | undefined
  /** How it ended without being asked. */
  #endedBy: string | undefined
  /** Stops and starts, one after the other. */
  #lifecycle: Promise<void> = Promise.resolve()
  /** Ids of the responses of the schedule. */
  readonly #ids: (number | undefined)[] = []
  readonly #submitted = new Set<number>()
  readonly #deleted = new Set<number>()
  readonly #drafts = new Set<number>()
  /** Functions that submit the drafts of the schedule. */
  readonly #submitDraft = new Map<number, () => Promise<number>>()
  /** Functions that end the steps which have begun. */
  readonly #ends = new Map<number, (() => void) | undefined>()
  #lastSubmittedAt: number | undefined
  /** Stops that wait for their moment. */
  readonly #armed: { readonly moment: StopMoment; readonly stop: () => void }[] = []
  #hasHandled = false
  /** Whether anything of the schedule has happened. */
  #hasBegun = false
  /** Whether the schedule has come to its end. */
  #isOver = false
  /** Milliseconds that the schedule waited for the program to start. */
  #heldUp = 0

  constructor(schedule: Schedule, settings: RunSettings, directory: string, signal: AbortSignal) {
    this.#schedule = schedule
    this.#settings = settings
    this.#directory = directory
    this.#signal = signal
  }

  async run(patienceMs: number | undefined): Promise<RunOutcome> {
    const { clock, speed, webhook } = this.#settings
    const { timestamps = 'milliseconds' } = this.#schedule
    const arrived = (moment: StopMoment) => () => this.#arrived(moment)
    this.#stage = await Stage.open(
      { clock, speed, webhook, directory: this.#directory, timestamps, signal: this.#signal },
      {
        running: () => this.#running,
        onReceived: arrived('received'),
        onAcknowledged: arrived('acknowledged'),
      },
    )
    if (timestamps !== 'milliseconds') {
      const text = `the service writes timestamps ${FORMATS[timestamps]}`
      this.#stage.trace('timestamps', text)
    }
    if (!(await this.#start()) && this.#endedBy === undefined) {
      return this.#outcome({ kind: 'not_reachable', responseIds: [] }, 0)
    }
    this.#stage.endpoint('test')
    const isBroken = (): boolean =>
      this.#signal.aborted || this.#endedBy !== undefined || this.#instead() !== undefined
    for (const moment of timeline(this.#schedule)) {
      await this.#lifecycle
      await this.#stage.time.pass(moment.at + this.#heldUp - this.#stage.time.elapsed(), this.#signal)
      if (isBroken()) break
      this.#hasBegun = true
      await this.#act(moment)
    }
    this.#isOver = true
    // What a stop waits for may come with an attempt that is still on its way to a slow program.
    if (this.#armed.length > 0 && !isBroken()) await this.#stage.server.clock.idle()
    this.#armed.length = 0
    await this.#lifecycle
    if (!isBroken()) await this.#stage.deliveriesEnded(DELIVERIES_MS)
    return await this.#judge(patienceMs)
  }

  async close(): Promise<void> {
    await this.#lifecycle.catch(() => undefined)
    const program = this.#program
    this.#program = undefined
    try {
      await (program?.stop ?? program?.kill)?.call(program)
    } catch {
      // It may have ended before, and the report is more important.
    }
    await this.#stage?.close()
  }

  // The program

  /** Starts the program and waits until it is there. */
  async #start(): Promise<boolean> {
    const begun = this.#stage.time.elapsed()
    const program = await this.#settings.program.start(this.#stage.environment)
    this.#program = program
    void program.ended?.then((how) => {
      if (this.#program === program) this.#endedBy = how
    })
    const isReady = await this.#stage.isReady(
      READY_MS,
      () => this.#endedBy !== undefined || this.#signal.aborted,
    )
    if (isReady) this.#running = {}
    this.#heldUp += this.#stage.time.elapsed() - begun
    return isReady
  }

  /** Stops the program and starts it again, after all stops before. */
  #restart(kind: 'kill' | 'terminate' | 'rotate', text: string, thenMs = 0, downMs = 0): void {
    this.#lifecycle = this.#lifecycle.then(async () => {
      await this.#pause(thenMs)
      const program = this.#program
      if (!program || this.#endedBy !== undefined || this.#signal.aborted) return
      this.#program = undefined
      this.#running = undefined
      this.#stage.trace(kind, text)
      await (kind === 'kill' ? program.kill() : (program.stop ?? program.kill).call(program))
      await this.#pause(downMs)
      if (this.#signal.aborted) return
      this.#stage.trace('start', 'the program is started again')
      if (!(await this.#start()) && this.#endedBy === undefined) this.#endedBy = 'did not start again'
    })
    this.#lifecycle.catch(() => undefined)
  }

  /** In process, nothing else happens meanwhile. */
  async #pause(ms: number): Promise<void> {
    if (ms > 0 && this.#settings.clock === 'real') await sleep(ms, { signal: this.#signal })
  }

  #arrived(moment: StopMoment): void {
    const next = this.#armed.findIndex((stop) => stop.moment === moment)
    if (next >= 0) this.#armed.splice(next, 1)[0]?.stop()
  }

  // The schedule

  async #act({ does, index }: Moment): Promise<void> {
    switch (does) {
      case 'save': {
        const { id, submit } = await this.#stage.saveDraft()
        this.#submitDraft.set(index, submit)
        this.#drafts.add(id)
        this.#stage.trace('draft', `response ${id} is saved as a draft`, id)
        return
      }
      case 'submit':
        return await this.#submit(index)
      case 'delete': {
        const id = this.#ids[index]
        if (id !== undefined && !this.#deleted.has(id)) this.#delete(id)
        return
      }
      case 'begin':
        this.#ends.set(index, await this.#begin(this.#schedule.steps[index] as ScheduledStep))
        return
      case 'end':
        this.#ends.get(index)?.()
    }
  }

  async #submit(index: number): Promise<void> {
    const { same_instant: isTied, delivery = [] } = this.#schedule.responses[index] as ScheduledResponse
    const submitDraft = this.#submitDraft.get(index)
    const { id, at } = submitDraft
      ? { id: await submitDraft(), at: undefined }
      : this.#stage.submit(isTied ? this.#lastSubmittedAt : undefined)
    this.#lastSubmittedAt = at
    this.#ids[index] = id
    this.#submitted.add(id)
    this.#stage.courier.trouble(id, delivery)
    const how = isTied ? ', with the submitted_at of the one before' : ''
    this.#stage.trace(submitDraft ? 'draft' : 'submit', `response ${id} is submitted${how}`, id)
  }

  #delete(id: number, when = ''): void {
    this.#stage.delete(id)
    this.#deleted.add(id)
    this.#stage.trace('delete', `response ${id} is deleted${when}`)
  }

  /** Not all have the same time, so that `since` does not give all of them again. */
  async #burst(count: number): Promise<void> {
    const ids: number[] = []
    while (ids.length < count) {
      const { id, at } = this.#stage.submit()
      this.#lastSubmittedAt = at
      ids.push(id)
      this.#submitted.add(id)
      if (ids.length % 10 === 0) await this.#stage.time.pass(1, this.#signal)
    }
    const text = `${count} responses are submitted at once: ${ids[0]} to ${ids.at(-1)}`
    this.#stage.trace('burst', text)
  }

  /** The second request of two is held until responses of the first page are deleted. */
  #deleteBetweenPages(): void {
    this.#watchPages(2, PAGE_HELD_MS, () => {
      const newest = [...this.#submitted].filter((id) => !this.#deleted.has(id)).sort((a, b) => b - a)
      for (const id of newest.slice(0, DELETED_AT_ONCE)) this.#delete(id, ' between two pages')
    })
  }

  /** Returns what ends a step that lasts. */
  async #begin(step: ScheduledStep): Promise<(() => void) | undefined> {
    const stage = this.#stage
    switch (step.kind) {
      case 'kill':
      case 'terminate':
        this.#arm(step)
        return undefined
      case 'rotate':
        stage.rotateSecret()
        this.#restart('rotate', 'the secret is replaced, and the program restarted with the new one')
        return undefined
      case 'burst':
        await this.#burst(step.count)
        return undefined
      case 'delete':
        this.#deleteBetweenPages()
        return undefined
      case 'pause':
        stage.endpoint('pause')
        stage.trace('pause', 'the endpoint is paused')
        return () => {
          stage.endpoint('resume')
          stage.trace('pause', 'the endpoint is resumed')
        }
      case 'outage': {
        stage.isCut = true
        const restore = this.#fault('outage', 'the service is gone', { reset: 'before' })
        return () => {
          stage.isCut = false
          restore()
        }
      }
      case 'api-429':
        return this.#fault(step.kind, 'the API answers 429 with Retry-After: 1', {
          status: 429,
          retry_after: 1,
        })
      case 'api-500':
        return this.#fault(step.kind, 'the API answers 500', { status: 500 })
      case 'api-slow':
        return this.#fault(step.kind, 'the API is slow', { delay_ms: Math.min(step.for_ms, 1000) })
      case 'api-reset':
        return step.how === 'truncated'
          ? this.#fault(step.kind, 'answers of the API end halfway', { truncate: true })
          : this.#fault(step.kind, 'the API resets connections', { reset: step.how })
    }
  }

  /** Puts a fault in force for every request of the API. Returns a function that ends it. */
  #fault(kind: RehearsalKind, text: string, fault: object): () => void {
    const { app } = this.#stage.server
    const ids = API_PATHS.map((path) => app.faults.add({ ...fault, path }).id)
    this.#stage.trace(kind, text)
    return () => {
      for (const id of ids) app.faults.remove(id)
      this.#stage.trace(kind, kind === 'outage' ? 'the service is back' : `${text}: no longer`)
    }
  }

  #arm(step: ScheduledStep & { readonly kind: 'kill' | 'terminate' }): void {
    const { kind, when, then_ms: thenMs, down_ms: downMs } = step
    const what = kind === 'kill' ? 'the program is killed (SIGKILL)' : 'the program is asked to end (SIGTERM)'
    const stop = (): void => this.#restart(kind, what + MOMENTS[when], thenMs, downMs)
    if (when === 'now') stop()
    else this.#armed.push({ moment: when, stop })
    if (when === 'page') this.#watchPages(1, 0, () => this.#arrived('page'))
  }

  /** A fault without an effect but a delay is used up by the next pages that are read. */
  #watchPages(times: number, delay_ms: number, then: () => void): void {
    const { app } = this.#stage.server
    const { id } = app.faults.add({ method: 'GET', path: '/api/v1/forms/*/responses', delay_ms, times })
    const watch = async (): Promise<void> => {
      while (!this.#signal.aborted && !this.#isOver) {
        if (!app.faults.list().some((fault) => fault.id === id)) return then()
        await sleep(1)
      }
      app.faults.remove(id)
    }
    void watch()
  }

  // The verdict

  /** Returns what the program does instead of waiting for deliveries, if that is known. */
  #instead(): Verdict['instead'] {
    const { webhook } = this.#settings
    const { pingStatus } = this.#stage.courier
    if (this.#endedBy !== undefined && !this.#hasBegun) return ended(this.#endedBy)
    if (webhook === undefined || !NO_ROUTE.has(pingStatus)) return undefined
    return withoutRoute(webhook, pingStatus as number)
  }

  async #judge(patienceMs: number | undefined): Promise<RunOutcome> {
    const { clock, webhook, expect, deletions } = this.#settings
    const readsBefore = this.#stage.reads.count
    const isMute = this.#endedBy === undefined && this.#stage.courier.isMute && readsBefore === 0
    const instead = this.#instead() ?? (isMute ? MUTE : undefined)
    if (instead) return this.#outcome({ kind: 'not_reachable', responseIds: [], instead }, 0)
    const factsAt = (reads: number): RunFacts => ({
      submitted: this.#submitted,
      deleted: this.#deleted,
      isAcknowledged: (id) => this.#stage.courier.factsOf(id)?.answers.some(isSuccess) ?? false,
      isRefused: (id) => webhook !== undefined && this.#stage.isRefused(id),
      expect,
      // A program that reads the list at its start alone does not poll.
      complete: this.#settings.complete ?? (webhook === undefined || reads > readsBefore),
      deletions,
    })
    // In process, a pause of this process does not count: the program is paused as well.
    const time = clock === 'manual' ? new RunningTime() : elapsedTime
    const start = time.now()
    /** When it last handled something. */
    let last = { count: -1, at: start, reads: 0 }
    let wait = 20
    let caughtUpMs = 0
    let before: VerdictKind | undefined
    for (let isSettled = false; ; ) {
      if (this.#endedBy !== undefined) {
        return this.#outcome({ kind: 'program_ended', responseIds: [], detail: this.#endedBy }, 0)
      }
      let verdict: Verdict | undefined
      const { count: reads } = this.#stage.reads
      const now = factsAt(reads)
      try {
        const handled = await this.#handled()
        this.#hasHandled ||= handled.length > 0
        if (handled.length !== last.count) last = { count: handled.length, at: time.now(), reads }
        verdict = judge(now, handled)
      } catch (error) {
        if (error instanceof OptionError) throw error
        // A table may not be there before the first response is.
        verdict = { kind: 'not_reachable', responseIds: [], detail: messageOf(error) }
      }
      const waited = time.now() - start
      const enough = CATCH_UP_MS[clock === 'manual' ? 'manual' : now.complete ? 'complete' : 'delivered']
      const patience = Math.min(patienceMs ?? enough, enough)
      if (!verdict) {
        const mayPoll = !now.complete && readsBefore > 0 && waited < Math.min(POLL_MS, patience)
        if ((isSettled && !mayPoll) || this.#signal.aborted) return this.#outcome(undefined, caughtUpMs)
        if (!isSettled) caughtUpMs = waited
        isSettled = true
        const settleMs = clock === 'manual' ? 0 : Math.min(2 * waited, SETTLE_MS.max)
        await this.#wait(Math.max(settleMs, SETTLE_MS.min))
        continue
      }
      const mayStillCome = verdict.kind !== 'invented' && verdict.kind !== 'handled_twice'
      const idle = time.now() - last.at >= IN_VAIN.ms && reads - last.reads >= IN_VAIN.reads
      const limit = verdict.kind === 'not_reachable' ? Math.min(patience, ASK_MS) : patience
      const isOver = waited >= limit || (verdict.kind === 'lost' && idle) || this.#signal.aborted
      if (isOver && verdict.kind === 'lost' && webhook === undefined && !this.#stage.wasCalled)
        return this.#outcome({ kind: 'not_reachable', responseIds: [], instead: IDLE }, 0)
      // What seems to be invented may be half a line that the program is writing.
      if (isOver || (!mayStillCome && verdict.kind === before)) {
        const { count, longestGapMs } = this.#stage.reads
        const isSeen = last.count > 0 && count !== 1
        return this.#outcome(
          verdict,
          isSeen ? Math.max(last.at - start, longestGapMs) : Number.POSITIVE_INFINITY,
        )
      }
      before = verdict.kind
      isSettled = false
      await this.#wait(wait)
      wait = Math.min(wait * 2, 1000)
    }
  }

  async #handled(): Promise<number[]> {
    const handled = [...(await this.#settings.program.handled(this.#stage.environment))]
    const odd = handled.find((id) => !Number.isInteger(id))
    if (odd !== undefined) throw new OptionError(`handled must return integers, got ${quoteId(odd)}.`)
    return handled
  }

  /** In process, a program that sleeps on the clock of the service goes on. */
  async #wait(ms: number): Promise<void> {
    await Promise.all([this.#stage.time.pass(ms, this.#signal), sleep(Math.min(ms, 50))])
  }

  #outcome(verdict: Verdict | undefined, caughtUpMs: number): RunOutcome {
    if (verdict) this.#stage.trace('end', describe(verdict), verdict.responseIds[0])
    const { reads, courier } = this.#stage
    return {
      verdict,
      // A copy: attempts that are still open end with the run.
      trace: [...this.#stage.happened],
      polls: reads.count > 0,
      turnsPages: reads.turnsPages,
      factsOf: (responseId) => courier.factsOf(responseId),
      drafts: this.#drafts,
      caughtUpMs,
      hasHandled: this.#hasHandled,
    }
  }
}

/** Formats of timestamps other than the usual one. */
const FORMATS = {
  seconds: 'in whole seconds, such as 2026-01-31T12:30:00Z',
  microseconds: 'with microseconds, such as 2026-01-31T12:30:00.250000Z',
  offset: 'with an offset, such as 2026-01-31T12:30:00.250+00:00',
} as const satisfies Record<Exclude<Schedule['timestamps'], 'milliseconds' | undefined>, string>

const MOMENTS: Readonly<Record<StopMoment, string>> = {
  now: '',
  received: ' while it handles a delivery',
  acknowledged: ' after it has acknowledged a delivery',
  page: ' after it has read a page of responses',
}

/** JSON has no bigint. */
const quoteId = (id: unknown): string => (typeof id === 'bigint' ? `${id}n` : quote(id))

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
