import { connect } from 'node:net'
import { RETRY_DELAYS_MS } from '@formwire/contract'
import { sleepOf } from '@formwire/internal/clock'
import { type ReservedPort, reservePort } from '@formwire/internal/reserved-port'
import type { DeliveryDetail } from '../delivery/index.ts'
import {
  clearInterval,
  clearTimeout,
  elapsedMs,
  nextTurn,
  setInterval,
  setTimeout,
  sleep,
  systemNow,
} from '../real-timers.ts'
import { createServer, type ReferenceServer } from '../server.ts'
import type { Unspecified } from '../unspecified.ts'
import { Courier, isSuccess, type RunEvents } from './courier.ts'
import type { RehearsalEnvironment } from './program.ts'
import { type Relay, startRelay } from './relay.ts'
import type { Trace, TraceEntry } from './trace.ts'

/** How the service of a run is set up. */
export interface StageSettings {
  readonly clock: 'real' | 'manual'
  readonly speed: number
  /** Path that the program receives deliveries at; `undefined` for a program without. */
  readonly webhook: string | undefined
  readonly directory: string
  readonly timestamps: Unspecified['timestamps']
  readonly signal: AbortSignal
}

const QUESTION = 'answer'
/** Real milliseconds between two looks at pending deliveries. */
const LOOK_EVERY_MS = 10
/** Real milliseconds after the end of a schedule in which attempts still keep their pauses. */
const HURRY_MS = 150
/** Real milliseconds between attempts that the program has refused or left without an answer, from then on: a database may need a moment. */
const REFUSED_MS = 250
/** Answers of a program that asks to be tried later. */
const BUSY: ReadonlySet<unknown> = new Set([409, 423, 425, 429, 503])
/** Real milliseconds after the end of a schedule in which a program that was stopped may still be busy. */
const BUSY_MS = 3000
/** Real milliseconds without an answer after which no further attempt is waited for: two that the service has given up. */
const SILENT_MS = 19_000
const ATTEMPTS = RETRY_DELAYS_MS.length + 1
const JOURNAL_SIZE = 20_000

/** The service of a run: a server with one form, and the way from it to the program. */
export class Stage {
  readonly server: ReferenceServer
  readonly time: RehearsalTime
  /** What has happened, in order. */
  readonly happened: TraceEntry[] = []
  readonly courier: Courier
  readonly #settings: StageSettings
  #relay: Relay | undefined
  readonly #port: ReservedPort
  /** Deliveries that were seen to have ended. */
  readonly #ended = new Set<string>()
  /** When the next attempt of a delivery begins, in real time. */
  readonly #waits = new Map<
    string,
    { readonly next: string; readonly since: number; readonly until: number }
  >()
  readonly #timers = new Set<NodeJS.Timeout>()
  /** Replays that are still to begin. */
  #due = 0
  /** From here on, nothing but what the program refuses waits for its next attempt. */
  #hurriedUntil = Number.POSITIVE_INFINITY
  #looking: NodeJS.Timeout | undefined
  formId = ''
  #slug = ''
  #webhookId: number | undefined
  #secret = ''
  #url = ''
  /** Whether nothing reaches the program, and the API nobody. */
  isCut = false
  readonly #reads = { lastNumber: 0, count: 0, lastAt: 0, longestGapMs: 0, turnsPages: false }

  static async open(settings: StageSettings, events: RunEvents): Promise<Stage> {
    const server = createServer({
      clock: settings.clock,
      limits: { requestsPerMinute: Number.POSITIVE_INFINITY, failedAuthPerMinute: Number.POSITIVE_INFINITY },
      journalSize: JOURNAL_SIZE,
      unspecified: { timestamps: settings.timestamps },
    })
    let stage: Stage | undefined
    try {
      await server.ready
      stage = new Stage(settings, server, await reservePort(), events)
      await stage.#open()
      return stage
    } catch (error) {
      await (stage ?? server).close()
      throw error
    }
  }

  private constructor(
    settings: StageSettings,
    server: ReferenceServer,
    port: ReservedPort,
    events: RunEvents,
  ) {
    this.#settings = settings
    this.server = server
    this.#port = port
    this.time = settings.clock === 'real' ? realTime() : manualTime(server, settings.speed)
    this.courier = new Courier({
      port: port.port,
      path: settings.webhook ?? '/',
      trace: this.trace,
      holds: settings.clock === 'real',
      isCut: () => this.isCut,
      signal: settings.signal,
      replay: (deliveryId, afterMs) => this.#later(afterMs, () => this.#replay(deliveryId)),
      ...events,
    })
  }

  readonly trace: Trace = (kind, text, responseId) => {
    const at_ms = Math.round(this.time.elapsed())
    this.happened.push({ at_ms, kind, text, ...(responseId !== undefined && { responseId }) })
  }

  async #open(): Promise<void> {
    const { app } = this.server
    this.#relay = await startRelay((attempt) => this.courier.carry(attempt))
    this.#url = (await this.server.listen({ port: 0 })).url
    const questions = [{ id: QUESTION, type: 'short_text' as const, title: 'Answer' }]
    const form = app.forms.create({ title: 'Rehearsal', questions })
    app.forms.publish(form.id)
    this.formId = form.id
    this.#slug = app.forms.get(form.id).slug
    if (this.#settings.webhook === undefined) return
    const endpoint = await app.webhooks.create(form.id, {
      url: `${this.#relay.url}${this.#settings.webhook}`,
    })
    this.#webhookId = endpoint.id
    this.#secret = endpoint.secret
    if (this.#settings.clock === 'real') {
      this.#looking = setInterval(() => this.#retryEarly(), LOOK_EVERY_MS)
    }
  }

  /** What the program is started with. */
  get environment(): RehearsalEnvironment {
    const { clock } = this.server
    const setTimer = (callback: () => void, ms: number) => clock.wakeAt(clock.now() + ms, callback)
    const source = { now: () => clock.now(), setTimer }
    return {
      baseUrl: this.#url,
      apiKey: this.server.writeKey,
      formId: this.formId,
      webhookSecret: this.#secret,
      port: this.#port.port,
      directory: this.#settings.directory,
      clock: {
        ...source,
        sleep: sleepOf(source),
      },
    }
  }

  /** Resolves to whether the program listens on its port or has called the API since, within `patienceMs`. */
  async isReady(patienceMs: number, isOver: () => boolean): Promise<boolean> {
    const calls = this.#calls
    for (const end = elapsedMs() + patienceMs; elapsedMs() < end && !isOver(); await sleep(5)) {
      if (this.#settings.webhook === undefined && this.#calls > calls) return true
      if (await listens(this.#port.port)) return true
    }
    return false
  }

  get #calls(): number {
    return this.server.app.requests.list()[0]?.number ?? 0
  }

  /** Whether the program has called the API. */
  get wasCalled(): boolean {
    return this.server.app.requests.list().some(({ path }) => path.startsWith('/api/'))
  }

  /**
   * How often the program has read the list of responses, the longest time between two reads in milliseconds of the service, and whether it has
   * read more than the first page. Counted since the last time: the journal drops its oldest entries.
   */
  get reads(): { readonly count: number; readonly longestGapMs: number; readonly turnsPages: boolean } {
    const reads = this.#reads
    const entries = this.server.app.requests.list()
    for (const entry of entries.filter(({ number }) => number > reads.lastNumber).reverse()) {
      reads.lastNumber = entry.number
      if (entry.method !== 'GET' || entry.status !== 200 || !entry.path.endsWith('/responses')) continue
      const at = Date.parse(entry.received_at)
      if (reads.count > 0) reads.longestGapMs = Math.max(reads.longestGapMs, at - reads.lastAt)
      reads.count += 1
      reads.lastAt = at
      if (Number(new URLSearchParams(entry.query).get('page')) > 1) reads.turnsPages = true
    }
    return reads
  }

  /** Does something with the endpoint, if there is one. */
  endpoint(action: 'test' | 'pause' | 'resume'): void {
    if (this.#webhookId !== undefined) this.server.app.webhooks[action](this.formId, this.#webhookId)
  }

  /** Submits a response. Returns its id and `submitted_at`. */
  submit(submittedAt?: number): { id: number; at: number } {
    const { id, at } = this.server.app.responses.create(this.formId, {
      answers: [{ question_id: QUESTION, value: 'A rehearsed answer' }],
      deliver: true,
      ...(submittedAt !== undefined && { submitted_at: new Date(submittedAt).toISOString() }),
    })
    return { id, at }
  }

  /** Saves a draft. Returns its id, and a function that submits it and returns the id of the response. */
  async saveDraft(): Promise<{ id: number; submit: () => Promise<number> }> {
    const post = async (path: string): Promise<Record<string, unknown>> => {
      const body = JSON.stringify({ answers: [{ question_id: QUESTION, value: 'A rehearsed draft' }] })
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      const response = await this.server.fetch(`${this.#url}/f/${this.#slug}${path}`, {
        method: 'POST',
        headers,
        body,
      })
      return ((await response.json()) as { data: Record<string, unknown> }).data
    }
    const { token } = await post('/drafts')
    const [draft] = this.server.app.responses.list(this.formId, 'in_progress').items
    return {
      id: draft?.id ?? 0,
      submit: async () => (await post(`/drafts/${token}/submit`)).id as number,
    }
  }

  delete(id: number): void {
    this.server.app.responses.delete(this.formId, id)
  }

  rotateSecret(): void {
    if (this.#webhookId === undefined) return
    this.#secret = this.server.app.webhooks.rotateSecret(this.formId, this.#webhookId).secret
  }

  /** Whether the program has refused the last attempt that the service makes of a delivery, or left it or several without an answer. */
  isRefused(responseId: number): boolean {
    return this.server.app.deliveries.ofResponse(this.formId, responseId).some(({ id, status, attempts }) => {
      if (status === 'pending') return this.#isSilent(id)
      const { answer } = this.courier.lastAttempt(id)
      return status === 'failed' && attempts === ATTEMPTS && answer !== undefined && !isSuccess(answer)
    })
  }

  #isSilent(deliveryId: string): boolean {
    return this.courier.lastAttempt(deliveryId).silentMs >= SILENT_MS
  }

  /** A program that finds a response claimed, by itself before it was stopped, asks to be tried later. */
  #isBusy({ id, response_id: responseId }: Pick<DeliveryDetail, 'id' | 'response_id'>): boolean {
    const { answer } = this.courier.lastAttempt(id)
    return this.courier.isClaimed(responseId) && BUSY.has(answer)
  }

  /** Waits until every delivery has ended that will, at most so many real milliseconds. */
  async deliveriesEnded(patienceMs: number): Promise<void> {
    const begun = elapsedMs()
    this.#hurriedUntil = begun + HURRY_MS
    const { clock, signal } = this.#settings
    for (let waited = 0; waited < patienceMs && !signal.aborted; waited = elapsedMs() - begun) {
      await this.server.clock.idle()
      const pending = this.#pending()
      const mayBeBusy = clock === 'real' && waited >= BUSY_MS
      const isStuck = pending.every(
        (delivery) => this.#isSilent(delivery.id) || (mayBeBusy && this.#isBusy(delivery)),
      )
      // Each of those has at most one attempt that is open.
      if (isStuck && this.#due === 0 && this.courier.open <= pending.length) return
      if (clock === 'real') await sleep(LOOK_EVERY_MS)
      else await this.server.clock.advance('10m')
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#looking)
    for (const timer of this.#timers) clearTimeout(timer)
    this.#port.release()
    await Promise.all([this.server.close(), this.#relay?.close()])
  }

  #later(ms: number, act: () => void): void {
    const { clock } = this.server
    this.#due += 1
    const begin = (): void => {
      this.#due -= 1
      act()
    }
    if (this.#settings.clock === 'manual') clock.wakeAt(clock.now() + ms * this.#settings.speed, begin)
    else this.#timers.add(setTimeout(begin, ms))
  }

  #replay(deliveryId: string): void {
    try {
      this.server.app.deliveries.replay(deliveryId)
    } catch {
      // Its response was deleted, or the endpoint is paused.
    }
  }

  /** Returns the deliveries that have not ended. */
  #pending(): DeliveryDetail[] {
    return Array.from(this.courier.begun).flatMap((id) => {
      if (this.#ended.has(id)) return []
      const delivery = this.#find(id)
      if (delivery?.status === 'pending') return delivery
      this.#ended.add(id)
      return []
    })
  }

  #find(id: string): DeliveryDetail | undefined {
    try {
      return this.server.app.deliveries.get(id)
    } catch {
      // Its endpoint was deleted by the program, with its log.
      return undefined
    }
  }

  /** Returns when the next attempt of a delivery begins at the latest, once the schedule is over. */
  #hurriedUntilOf(delivery: DeliveryDetail, since: number): number {
    if (this.#isBusy(delivery)) return Number.POSITIVE_INFINITY
    const isFree = this.courier.lastAttempt(delivery.id).answer === undefined
    return isFree ? this.#hurriedUntil : Math.max(this.#hurriedUntil, since + REFUSED_MS)
  }

  /** Starts attempts when the compressed wait is over. */
  #retryEarly(): void {
    const now = elapsedMs()
    for (const delivery of this.#pending()) {
      const { id, next_attempt_at: next } = delivery
      if (next === null) continue
      const wait = (Date.parse(next) - this.server.clock.now()) / this.#settings.speed
      const known = this.#waits.get(id)
      if (!known || known.next !== next) this.#waits.set(id, { next, since: now, until: now + wait })
      else if (now >= Math.min(known.until, this.#hurriedUntilOf(delivery, known.since)))
        this.server.app.deliveries.retry(id)
    }
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** The time of a rehearsal, in its milliseconds. */
interface RehearsalTime {
  /** Since its start. */
  elapsed(): number
  /** Waits, at most until the signal aborts. A rehearsal in process meanwhile lets the service do what is due. */
  pass(ms: number, signal: AbortSignal): Promise<void>
}

/** Real time. */
function realTime(): RehearsalTime {
  const start = systemNow()
  return { elapsed: () => systemNow() - start, pass: (ms, signal) => sleep(ms, { signal }) }
}

/** Longest part of an advance after which the program can act, in milliseconds of the rehearsal. */
const SLICE_MS = 20
/** Turns of the event loop in which a program that was woken makes its requests. */
const TURNS = 12

/** The manual clock of the server, `speed` times as fast: a step of a millisecond is a second. */
function manualTime({ clock }: ReferenceServer, speed: number): RehearsalTime {
  const start = clock.now()
  return {
    elapsed: () => (clock.now() - start) / speed,
    async pass(ms, signal) {
      for (let left = ms; left > 0 && !signal.aborted; left -= SLICE_MS) {
        await clock.advance(Math.round(Math.min(left, SLICE_MS) * speed))
        for (let turn = 0; turn < TURNS; turn += 1) await nextTurn()
        await clock.idle()
      }
    },
  }
}
