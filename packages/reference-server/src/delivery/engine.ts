import { DELIVERY_HEADERS } from '@formwire/contract'
import { signatureHeader } from '@formwire/webhook-verify'
import type { Context } from '../context.ts'
import {
  type AttemptOutcome,
  blankDelivery,
  type DeliveryRecord,
  newDelivery,
  newDeliveryId,
  recordAttempt,
  STOP_NOTES,
  stopDelivery,
} from '../domain/delivery.ts'
import type { DomainEvent } from '../domain/events.ts'
import { type EndpointRecord, receivesResponse } from '../domain/webhook-endpoint.ts'
import type { DueKey } from '../store/deliveries.ts'
import { eventBody } from './event-body.ts'
import { FairQueue, type StartAttempt } from './fair-queue.ts'
import type { Sender } from './sender.ts'

/** What the engine works with. */
export interface EngineOptions {
  readonly context: Context
  readonly sender: Sender
  /** Real milliseconds from any fixed moment: measures how long an attempt took. */
  readonly elapsed: () => number
  /** Hears of every change of an entry, its creation included. */
  readonly onChange: (delivery: DeliveryRecord) => void
}

/** What a new delivery is made of. */
export type DeliveryFacts = Pick<DeliveryRecord, 'event' | 'responseId'> & { readonly body: Uint8Array }

/** Before everything: nothing has been lined up yet. */
const NONE_TAKEN: DueKey = { at: Number.NEGATIVE_INFINITY, sequence: Number.NEGATIVE_INFINITY }

/**
 * Turns events into deliveries and deliveries into attempts. All that has to last is in the state; the engine itself
 * holds one alarm of the clock, for the next instant at which something is due, and what is being sent.
 */
export class DeliveryEngine {
  readonly #context: Context
  readonly #sender: EngineOptions['sender']
  readonly #elapsed: () => number
  readonly #onChange: (delivery: DeliveryRecord) => void
  /** Deliveries with an attempt on its way. A new one after each reset: what ends later belongs to nobody. */
  #inFlight = new Set<number>()
  #queue: FairQueue
  /** Deliveries that are due and wait for their turn in the queue. */
  #linedUp = new Set<number>()
  /** The last of the waiting deliveries, in the order in which they are due, that was lined up. */
  #taken = NONE_TAKEN
  #alarmAt = Number.POSITIVE_INFINITY
  #cancelAlarm = (): void => {}
  #closed = false
  /** Attempts on their way, those of a state that was replaced included. */
  #running = 0
  #allEnded = (): void => {}

  constructor({ context, sender, elapsed, onChange }: EngineOptions) {
    this.#context = context
    this.#sender = sender
    this.#elapsed = elapsed
    this.#onChange = onChange
    this.#queue = new FairQueue(this.#attempt)
    this.#lookAhead()
  }

  /** The one subscriber of what happens in the domain. */
  readonly publish = (event: DomainEvent): void => {
    const { state, settings } = this.#context
    switch (event.type) {
      case 'response.submitted': {
        const receivers = state.endpoints
          .ofForm(event.form.id)
          .filter((endpoint) => receivesResponse(endpoint, event.submittedAt))
        if (receivers.length === 0) return
        const body = eventBody(event.type, event.form, event.response, settings.unspecified)
        for (const endpoint of receivers) {
          this.enqueue(endpoint, { event: event.type, responseId: event.response.id, body })
        }
        return
      }
      case 'response.deleted':
        if (settings.unspecified.deletedResponseDeliveries === 'kept') return
        for (const delivery of state.deliveries.waitingOfResponse(event.responseId)) {
          this.#replace(blankDelivery(this.#stopped(delivery, STOP_NOTES.responseDeleted)))
        }
        return
      case 'form.trashed':
        for (const endpoint of state.endpoints.ofForm(event.formId)) {
          this.stopWaiting(endpoint.id, STOP_NOTES.formTrashed)
        }
    }
  }

  /** A new delivery to an endpoint. Its first attempt starts at once, in a later turn (DLV-06). */
  enqueue(endpoint: EndpointRecord, facts: DeliveryFacts): DeliveryRecord {
    const { state, clock, random } = this.#context
    const sequence = state.deliveries.nextSequence()
    const delivery = newDelivery({
      sequence,
      id: newDeliveryId(random, sequence),
      endpointId: endpoint.id,
      formId: endpoint.formId,
      createdAt: clock.now(),
      ...facts,
    })
    this.#replace(delivery)
    this.#schedule(delivery)
    return delivery
  }

  /** Fails what waits at an endpoint, with a note. An attempt on its way ends by itself (HOOK-07). */
  stopWaiting(endpointId: number, note: string): void {
    for (const delivery of this.#context.state.deliveries.waitingOfEndpoint(endpointId)) {
      this.#replace(this.#stopped(delivery, note))
    }
  }

  /** Removes the log of an endpoint that was deleted: nothing of it is tried again (HOOK-03). */
  forget(endpointId: number): void {
    this.#context.state.deliveries.deleteOfEndpoint(endpointId)
    this.#queue.forget(endpointId)
  }

  /** Starts over with a state that was put in place of the last one: what was on its way is of no account. */
  reset(): void {
    this.#cancelAlarm()
    this.#alarmAt = Number.POSITIVE_INFINITY
    this.#taken = NONE_TAKEN
    this.#inFlight = new Set()
    this.#linedUp = new Set()
    // Else what is abandoned next would make room in it for deliveries that the new state holds too.
    this.#queue.stop()
    this.#queue = new FairQueue(this.#attempt)
    this.#sender.abandonAll()
    this.#lookAhead()
  }

  /** Takes no more work, ends attempts on their way, and leaves no handle open. What waits stays in the state. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancelAlarm()
    this.#inFlight = new Set()
    await this.#sender.close()
  }

  readonly #attempt: StartAttempt = (sequence, ended) => {
    this.#linedUp.delete(sequence)
    const { state, clock } = this.#context
    const delivery = state.deliveries.bySequence(sequence)
    if (this.#closed || delivery?.status !== 'pending' || delivery.body === null) return false
    const endpoint = state.endpoints.get(delivery.endpointId)
    if (!endpoint) return false
    const inFlight = this.#inFlight.add(sequence)
    const startedAt = clock.now()
    const begun = this.#elapsed()
    const timestamp = Math.floor(startedAt / 1000)
    // Read now: a new secret holds for attempts that were waiting too (HOOK-08).
    const signature = signatureHeader(endpoint.secret, timestamp, delivery.body)
    const headers = headersOf(delivery, timestamp, signature)
    this.#workBegins()
    this.#sender.send({ url: endpoint.url, headers, body: delivery.body }, (answer) => {
      // Else the state was replaced or the server closed meanwhile.
      if (inFlight === this.#inFlight) {
        inFlight.delete(sequence)
        const { httpStatus, error, receiverAnswer, waitedMs = 0 } = answer
        const durationMs = Math.round((this.#elapsed() - begun - waitedMs) * 1000) / 1000
        this.#record(sequence, {
          startedAt,
          durationMs,
          httpStatus,
          error,
          signature,
          timestamp,
          receiverAnswer,
        })
      }
      // Starts the next ones, before the clock may take this for the end of all work.
      ended(answer.error !== 'timeout')
      this.#workEnds()
    })
    return true
  }

  /** The clock hears of a whole burst of attempts at once. */
  #workBegins(): void {
    this.#running += 1
    if (this.#running > 1) return
    void this.#context.clock.track(
      new Promise<void>((resolve) => {
        this.#allEnded = resolve
      }),
    )
  }

  #workEnds(): void {
    this.#running -= 1
    if (this.#running === 0) this.#allEnded()
  }

  #record(sequence: number, outcome: AttemptOutcome): void {
    const { state, clock } = this.#context
    // Deleted with its endpoint meanwhile: nothing to tell.
    const delivery = state.deliveries.bySequence(sequence)
    if (!delivery) return
    const after = recordAttempt(delivery, outcome, clock.now())
    this.#replace(after)
    if (after.nextAttemptAt !== null) this.#schedule(after)
  }

  #replace(delivery: DeliveryRecord): void {
    this.#context.state.deliveries.put(delivery)
    this.#onChange(delivery)
  }

  #stopped(delivery: DeliveryRecord, note: string): DeliveryRecord {
    return stopDelivery(delivery, note, this.#inFlight.has(delivery.sequence))
  }

  #schedule({ nextAttemptAt, sequence }: DeliveryRecord): void {
    const at = nextAttemptAt as number
    // Behind what was lined up already: only when the machine's clock was put back. Look from there again, in its time.
    const taken = this.#taken
    if (at < taken.at || (at === taken.at && sequence <= taken.sequence)) this.#taken = { at, sequence: -1 }
    this.#setAlarm(at)
  }

  #setAlarm(at: number): void {
    if (at >= this.#alarmAt || this.#closed) return
    this.#cancelAlarm()
    this.#alarmAt = at
    this.#cancelAlarm = this.#context.clock.wakeAt(at, () => {
      this.#alarmAt = Number.POSITIVE_INFINITY
      this.#lookAhead()
    })
  }

  /** Lines up all that is due by now, in order, and sets the alarm for what is due next. */
  #lookAhead(): void {
    const { state, clock } = this.#context
    const now = clock.now()
    for (const [due, endpointId] of state.deliveries.dueAfter(this.#taken)) {
      if (due.at > now) {
        this.#setAlarm(due.at)
        break
      }
      this.#taken = due
      if (this.#linedUp.has(due.sequence) || this.#inFlight.has(due.sequence)) continue
      this.#linedUp.add(due.sequence)
      this.#queue.add(endpointId, due.sequence)
    }
    this.#queue.pump()
  }
}

function headersOf(delivery: DeliveryRecord, timestamp: number, signature: string): string[] {
  return [
    'content-type',
    'application/json',
    'accept',
    '*/*',
    'accept-encoding',
    'identity',
    'user-agent',
    'Formwire-Webhooks/1',
    DELIVERY_HEADERS.event,
    delivery.event,
    DELIVERY_HEADERS.delivery,
    delivery.id,
    DELIVERY_HEADERS.timestamp,
    String(timestamp),
    DELIVERY_HEADERS.signature,
    signature,
  ]
}
