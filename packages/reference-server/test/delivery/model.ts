import { STOP_NOTES } from '../../src/domain/delivery.ts'
import type { Unspecified } from '../../src/unspecified.ts'

/** The behaviours that the model knows both values of. */
export type ModelChoice = Pick<Unspecified, 'retryDelayFrom' | 'retriedBody' | 'attemptInFlightAtPause'>

/** What the model keeps of a delivery. */
export interface ModelDelivery {
  readonly number: number
  readonly endpoint: number
  readonly responseId: number
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  nextAt: number | null
  note: string | null
  /** An attempt whose outcome will be recorded. */
  inFlight: boolean
  /** A request that has not ended yet. It outlasts `inFlight` when a pause fails the delivery at once. */
  requestOpen: boolean
  stopNote: string | null
  blank: boolean
  /** The form's title in the body as it was last made. */
  title: string
  startedAt: number
}

/** A request that the model expects: which delivery, which secret, which title of the form, when. */
export interface ModelRequest {
  readonly number: number
  readonly secret: number
  readonly title: string
  readonly at: number
}

const MINUTE = 60_000
/** Attempts of one endpoint at one time: at first, and at most. Each response of a receiver allows one more. */
const [WINDOW_FIRST, WINDOW_MAX] = [8, 32]
const DELAYS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 720 * MINUTE]

/**
 * The rules of deliveries once more, as plainly as they can be put: one list, looked through from its beginning each
 * time. Attempts that were started stay in flight until `land`; more of one endpoint than its window stay queued.
 */
export class DeliveryModel {
  now: number
  title = 'F'
  readonly #choice: ModelChoice
  readonly #deletedResponses = new Set<number>()
  readonly deliveries: ModelDelivery[] = []
  readonly requests: ModelRequest[] = []
  readonly endpoints = new Map<number, { active: boolean; secret: number }>()
  readonly #windows = new Map<number, number>()
  readonly #answers: (responseId: number, attempt: number) => boolean
  #lastNumber = 0
  #lastSecret = 0

  constructor(now: number, choice: ModelChoice, answers: (responseId: number, attempt: number) => boolean) {
    this.now = now
    this.#choice = choice
    this.#answers = answers
  }

  add(endpoint: number): void {
    this.endpoints.set(endpoint, { active: true, secret: ++this.#lastSecret })
  }

  submit(responseId: number): void {
    for (const [endpoint, { active }] of this.endpoints)
      if (active) this.#enqueue(endpoint, responseId, this.title)
    this.#start()
  }

  /** Whether it was taken. */
  test(endpoint: number): boolean {
    if (!this.endpoints.get(endpoint)?.active) return false
    this.#enqueue(endpoint, 0, this.title)
    this.#start()
    return true
  }

  replay(number: number): boolean {
    const delivery = this.deliveries.find((one) => one.number === number)
    if (!delivery || delivery.blank || !this.endpoints.get(delivery.endpoint)?.active) return false
    this.#enqueue(delivery.endpoint, delivery.responseId, delivery.title)
    this.#start()
    return true
  }

  /** Whether it was taken. Nothing changes while the attempt is due or in flight. */
  retry(number: number): boolean {
    const delivery = this.#pending(number)
    if (!delivery) return false
    if (!delivery.inFlight) delivery.nextAt = Math.min(delivery.nextAt!, this.now)
    this.#start()
    return true
  }

  cancel(number: number): boolean {
    const delivery = this.#pending(number)
    if (delivery) this.#stop(delivery, STOP_NOTES.cancelled)
    return delivery !== undefined
  }

  pause(endpoint: number): void {
    this.endpoints.get(endpoint)!.active = false
    for (const delivery of this.#waiting(endpoint)) {
      if (this.#choice.attemptInFlightAtPause === 'failedAtOnce') delivery.inFlight = false
      this.#stop(delivery, STOP_NOTES.paused)
    }
  }

  resume(endpoint: number): void {
    this.endpoints.get(endpoint)!.active = true
  }

  rotate(endpoint: number): void {
    this.endpoints.get(endpoint)!.secret = ++this.#lastSecret
  }

  delete(endpoint: number): void {
    this.endpoints.delete(endpoint)
    for (const delivery of this.deliveries.filter((one) => one.endpoint === endpoint))
      this.deliveries.splice(this.deliveries.indexOf(delivery), 1)
  }

  deleteResponse(responseId: number): void {
    this.#deletedResponses.add(responseId)
    for (const delivery of this.deliveries) {
      if (delivery.responseId !== responseId || delivery.status !== 'pending') continue
      this.#stop(delivery, STOP_NOTES.responseDeleted)
      delivery.blank = true
    }
  }

  trash(): void {
    for (const delivery of this.deliveries) {
      if (delivery.status === 'pending') this.#stop(delivery, STOP_NOTES.formTrashed)
    }
  }

  /** A state of its own to come back to, without what is in flight and what was requested. */
  copy(): DeliveryModel {
    const copy = new DeliveryModel(this.now, this.#choice, this.#answers)
    copy.#take(this)
    return copy
  }

  /** Goes back to a state kept by `copy`: what was in flight is lost, and what is due by then is sent again. */
  restore(saved: DeliveryModel): void {
    this.#take(saved)
    this.#start()
  }

  #take(saved: DeliveryModel): void {
    this.now = saved.now
    this.title = saved.title
    this.#deletedResponses.clear()
    for (const id of saved.#deletedResponses) this.#deletedResponses.add(id)
    this.deliveries.splice(0, this.deliveries.length)
    for (const one of saved.deliveries) this.deliveries.push({ ...one, inFlight: false, requestOpen: false })
    this.#windows.clear()
    this.endpoints.clear()
    for (const [endpoint, one] of saved.endpoints) this.endpoints.set(endpoint, { ...one })
    this.#lastNumber = saved.#lastNumber
    this.#lastSecret = Math.max(this.#lastSecret, saved.#lastSecret)
  }

  /** One in flight ends. */
  landOne(number: number): void {
    this.#land(this.deliveries.filter((one) => one.number === number))
  }

  /** Everything in flight ends, and what that starts. */
  land(): void {
    for (;;) {
      const open = this.deliveries.filter((one) => one.requestOpen)
      if (open.length === 0) return
      this.#land(open)
    }
  }

  #land(deliveries: readonly ModelDelivery[]): void {
    for (const delivery of deliveries) {
      if (!delivery.requestOpen) continue
      delivery.requestOpen = false
      if (delivery.inFlight) this.#record(delivery)
      const { endpoint } = delivery
      this.#windows.set(endpoint, Math.min(WINDOW_MAX, this.#window(endpoint) + 1))
    }
    this.#start()
  }

  #record(delivery: ModelDelivery): void {
    delivery.inFlight = false
    delivery.attempts += 1
    const answered = this.#answers(delivery.responseId, delivery.attempts)
    if (answered) this.#finish(delivery, 'delivered', null)
    else if (delivery.stopNote) this.#finish(delivery, 'failed', delivery.stopNote)
    else if (delivery.attempts === 6) this.#finish(delivery, 'failed', null)
    else {
      const from = this.#choice.retryDelayFrom === 'start' ? delivery.startedAt : this.now
      delivery.nextAt = from + DELAYS[delivery.attempts - 1]!
    }
  }

  #window(endpoint: number): number {
    return this.#windows.get(endpoint) ?? WINDOW_FIRST
  }

  /** The clock moves while attempts are in flight. */
  jump(milliseconds: number): void {
    this.now += milliseconds
    this.#start()
  }

  advance(milliseconds: number): void {
    this.land()
    const target = this.now + milliseconds
    for (;;) {
      const due = this.deliveries
        .map((one) => one.nextAt ?? Infinity)
        .reduce((a, b) => Math.min(a, b), Infinity)
      if (due > target) break
      this.now = Math.max(this.now, due)
      this.#start()
      this.land()
    }
    this.now = target
  }

  #enqueue(endpoint: number, responseId: number, title: string): void {
    this.deliveries.push({
      number: ++this.#lastNumber,
      endpoint,
      responseId,
      status: 'pending',
      attempts: 0,
      nextAt: this.now,
      note: null,
      inFlight: false,
      requestOpen: false,
      stopNote: null,
      blank: false,
      title,
      startedAt: this.now,
    })
  }

  #start(): void {
    for (const [endpoint, { secret }] of this.endpoints) {
      for (const one of this.#waiting(endpoint)) {
        // Stopped during an attempt that was lost when the state was replaced.
        if (one.stopNote && !one.inFlight && one.nextAt! <= this.now)
          this.#finish(one, 'failed', one.stopNote)
      }
      const pending = this.#waiting(endpoint)
      const open = this.deliveries.filter((one) => one.endpoint === endpoint && one.requestOpen)
      const room = this.#window(endpoint) - open.length
      const due = pending
        .filter((one) => !one.inFlight && one.nextAt! <= this.now)
        .sort((a, b) => a.nextAt! - b.nextAt! || a.number - b.number)
      for (const delivery of due.slice(0, Math.max(0, room))) {
        delivery.inFlight = true
        delivery.requestOpen = true
        delivery.startedAt = this.now
        if (this.#choice.retriedBody === 'fresh' && !this.#deletedResponses.has(delivery.responseId))
          delivery.title = this.title
        this.requests.push({ number: delivery.number, secret, title: delivery.title, at: this.now })
      }
    }
  }

  #waiting(endpoint: number): ModelDelivery[] {
    return this.deliveries.filter((one) => one.endpoint === endpoint && one.status === 'pending')
  }

  #pending(number: number): ModelDelivery | undefined {
    return this.deliveries.find((one) => one.number === number && one.status === 'pending')
  }

  #stop(delivery: ModelDelivery, note: string): void {
    if (delivery.inFlight) delivery.stopNote ??= note
    else this.#finish(delivery, 'failed', delivery.stopNote ?? note)
  }

  #finish(delivery: ModelDelivery, status: 'delivered' | 'failed', note: string | null): void {
    Object.assign(delivery, { status, note, nextAt: null, stopNote: null })
  }
}
