import { channel } from 'node:diagnostics_channel'
import { DELIVERY_HEADERS } from '@formwire/contract'
import { signatureHeader } from '@formwire/webhook-verify'
import { FairQueue, type StartAttempt } from '../collections/fair-queue.ts'
import type { Context, DomainEvent } from '../context.ts'
import {
  type AttemptOutcome,
  blankDelivery,
  type DeliveryRecord,
  makeDue,
  newDelivery,
  newDeliveryId,
  recordAttempt,
  STOP_NOTES,
  stopDelivery,
} from '../domain/delivery.ts'
import { eventResponse } from '../domain/response.ts'
import { afterAttempt, type EndpointRecord } from '../domain/webhook-endpoint.ts'
import type { DueKey } from '../store/deliveries.ts'
import { bodyOfAttempt, eventBody } from './event-body.ts'
import type { Sender } from './sender.ts'

/** One delivery attempt, as the subscribers of the diagnostics channels receive it: the same object twice. */
interface AttemptMessage {
  readonly deliveryId: string
  readonly endpointId: number
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Status of the HTTP response, `null` without one. Set at the end. */
  httpStatus?: number | null
  /** Why the attempt failed, `null` if it did not. Set at the end. */
  error?: string | null
}

const attemptStart = channel('formwire:delivery:attempt:start')
const attemptEnd = channel('formwire:delivery:attempt:end')

/** The parts that the engine works with. */
export interface EngineOptions {
  readonly context: Context
  readonly sender: Sender
  /** Real milliseconds since an arbitrary moment, to measure the duration of attempts. */
  readonly elapsed: () => number
  /** Called on every change to a delivery, including its creation. */
  readonly onChange: (delivery: DeliveryRecord) => void
}

/** The content of a new delivery. */
export type DeliveryFacts = Pick<DeliveryRecord, 'event' | 'responseId'> & { readonly body: Uint8Array }

/** Sorts before every delivery. */
const NONE_QUEUED: DueKey = { nextAttemptAt: -Infinity, sequence: -Infinity }

/**
 * Turns events into deliveries and deliveries into attempts. All durable data lives in the state; the engine holds the
 * attempts in flight and one alarm of the clock, for the next instant at which a delivery is due.
 */
export class DeliveryEngine {
  readonly #context: Context
  readonly #sender: EngineOptions['sender']
  readonly #elapsed: () => number
  readonly #onChange: (delivery: DeliveryRecord) => void
  /** Deliveries with an attempt in flight. Replaced on reset, so that late results are ignored. */
  #inFlight = new Set<number>()
  #queue: FairQueue
  /** Deliveries that are due and queued. */
  #queued = new Set<number>()
  /** The last pending delivery, in the order in which they are due, that was queued. */
  #lastQueued = NONE_QUEUED
  #alarmAt = Number.POSITIVE_INFINITY
  #cancelAlarm = (): void => {}
  #closed = false
  /** Number of attempts in flight, including those of a replaced state. */
  #running = 0
  #allEnded = (): void => {}

  constructor({ context, sender, elapsed, onChange }: EngineOptions) {
    this.#context = context
    this.#sender = sender
    this.#elapsed = elapsed
    this.#onChange = onChange
    this.#queue = new FairQueue(this.#attempt)
    context.events.on('change', (event) => this.#handle(event))
    this.#lookAhead()
  }

  #handle(event: DomainEvent): void {
    const { state, settings } = this.#context
    switch (event.type) {
      case 'response.submitted': {
        // Earlier responses are not for an endpoint, active or paused (DLV-01).
        const endpoints = state.endpoints
          .ofForm(event.form.id)
          .filter(({ createdAt }) => createdAt <= event.response.at)
        for (const endpoint of endpoints) {
          if (!endpoint.active) state.endpoints.put({ ...endpoint, notSent: (endpoint.notSent ?? 0) + 1 })
        }
        const receivers = endpoints.filter(({ active }) => active)
        if (receivers.length === 0) return
        const body = eventBody(event.type, event.form, eventResponse(event.response), settings.unspecified)
        for (const endpoint of receivers) {
          this.enqueue(endpoint, { event: event.type, responseId: event.response.id, body })
        }
        return
      }
      case 'response.deleted':
        if (settings.unspecified.deletedResponseDeliveries === 'kept') return
        for (const delivery of state.deliveries.pendingOfResponse(event.responseId)) {
          this.#replace(blankDelivery(this.#stopped(delivery, STOP_NOTES.responseDeleted)))
        }
        return
      case 'form.trashed':
        for (const endpoint of state.endpoints.ofForm(event.formId)) {
          this.stopPending(endpoint.id, STOP_NOTES.formTrashed)
        }
    }
  }

  /** Creates a delivery to an endpoint. Its first attempt starts immediately, in a later turn (DLV-06). */
  enqueue(endpoint: EndpointRecord, facts: DeliveryFacts): DeliveryRecord {
    const { state, clock, random } = this.#context
    const sequence = state.deliveries.nextId()
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

  /** Adds a delivery that another engine has made, and continues it if it is pending. */
  adopt(delivery: DeliveryRecord): void {
    this.#context.state.deliveries.put(delivery)
    if (delivery.nextAttemptAt !== null) this.#schedule(delivery)
  }

  /** Fails the pending deliveries of an endpoint that was paused (HOOK-07). */
  pause(endpointId: number): void {
    if (this.#context.settings.unspecified.attemptInFlightAtPause === 'failedAtOnce') {
      // The requests still reach the receiver, but their outcomes are not recorded.
      for (const { sequence } of this.#context.state.deliveries.pendingOfEndpoint(endpointId)) {
        this.#inFlight.delete(sequence)
      }
    }
    this.stopPending(endpointId, STOP_NOTES.paused)
  }

  /** Fails the pending deliveries of an endpoint with a note. Attempts in flight continue (HOOK-07). */
  stopPending(endpointId: number, note: string): void {
    for (const delivery of this.#context.state.deliveries.pendingOfEndpoint(endpointId)) {
      this.#replace(this.#stopped(delivery, note))
    }
  }

  /** Fails a pending delivery. An attempt in flight continues, and may still deliver it. */
  cancel(delivery: DeliveryRecord): DeliveryRecord {
    const stopped = this.#stopped(delivery, STOP_NOTES.cancelled)
    this.#replace(stopped)
    return stopped
  }

  /** Starts the next attempt of a pending delivery now, in a later turn. Does nothing while an attempt is due or in flight. */
  retryNow(delivery: DeliveryRecord): DeliveryRecord {
    const due = makeDue(delivery, this.#context.clock.now())
    if (due.nextAttemptAt === delivery.nextAttemptAt) return delivery
    this.#replace(due)
    this.#schedule(due)
    return due
  }

  /** Removes the log of a deleted endpoint, with its pending deliveries (HOOK-03). */
  forget(endpointId: number): void {
    this.#context.state.deliveries.deleteOfEndpoint(endpointId)
    this.#queue.forget(endpointId)
  }

  /** Continues with a replaced state. The results of attempts in flight are ignored. */
  reset(): void {
    this.#cancelAlarm()
    this.#alarmAt = Number.POSITIVE_INFINITY
    this.#lastQueued = NONE_QUEUED
    this.#inFlight = new Set()
    this.#queued = new Set()
    // Otherwise the attempts abandoned next would make the queue start deliveries of the new state.
    this.#queue.stop()
    this.#queue = new FairQueue(this.#attempt)
    this.#sender.abandonAll()
    this.#lookAhead()
  }

  /** Ends attempts in flight and leaves no handle open. Pending deliveries stay in the state. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancelAlarm()
    this.#inFlight = new Set()
    await this.#sender.close()
  }

  readonly #attempt: StartAttempt = (sequence, ended) => {
    this.#queued.delete(sequence)
    const { state, clock } = this.#context
    const delivery = state.deliveries.get(sequence)
    if (this.#closed || delivery?.status !== 'pending') return false
    if (delivery.stopNote !== null || delivery.body === null) {
      // It was stopped during an attempt whose outcome a snapshot has lost.
      this.#replace(this.#stopped(delivery, STOP_NOTES.responseDeleted))
      return false
    }
    const endpoint = state.endpoints.get(delivery.endpointId)
    if (!endpoint) return false
    const body = bodyOfAttempt(this.#context, delivery, delivery.body)
    if (body !== delivery.body) this.#replace({ ...delivery, body })
    const inFlight = this.#inFlight.add(sequence)
    const startedAt = clock.now()
    const begun = this.#elapsed()
    const timestamp = Math.floor(startedAt / 1000)
    // Read now, so that a new secret also applies to pending retries (HOOK-08).
    const signature = signatureHeader(endpoint.secret, timestamp, body)
    const headers = deliveryHeaders(delivery, timestamp, signature)
    const message = attemptStart.hasSubscribers ? messageOf(delivery) : undefined
    attemptStart.publish(message)
    this.#workBegins()
    this.#sender.send({ url: endpoint.url, headers, body }, (result) => {
      if (message) {
        attemptEnd.publish(Object.assign(message, { httpStatus: result.httpStatus, error: result.error }))
      }
      // Otherwise the state was replaced, the server closed, or the delivery failed meanwhile.
      if (inFlight === this.#inFlight && inFlight.delete(sequence)) {
        const { waitedMs = 0, ...outcome } = result
        const durationMs = Math.round((this.#elapsed() - begun - waitedMs) * 1000) / 1000
        this.#record(sequence, { ...outcome, startedAt, durationMs, signature, timestamp })
      }
      // Starts the next attempts before the clock sees the end of all work.
      ended(result.error !== 'timeout')
      this.#workEnds()
    })
    return true
  }

  /** Reports a whole burst of attempts to the clock as one piece of work. */
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
    const { state, clock, settings } = this.#context
    // It was deleted with its endpoint meanwhile.
    const delivery = state.deliveries.get(sequence)
    if (!delivery) return
    const { retryDelayFrom } = settings.unspecified
    const after = recordAttempt(
      delivery,
      outcome,
      retryDelayFrom === 'start' ? outcome.startedAt : clock.now(),
    )
    const endpoint = state.endpoints.get(delivery.endpointId)
    const seen = endpoint && afterAttempt(endpoint, outcome)
    if (seen && seen !== endpoint) state.endpoints.put(seen)
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
    // Earlier than what is queued already, when the machine's clock was set back: continue from there.
    const last = this.#lastQueued
    const lastAt = last.nextAttemptAt as number
    if (at < lastAt || (at === lastAt && sequence <= last.sequence))
      this.#lastQueued = { nextAttemptAt: at, sequence: -1 }
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

  /** Queues all deliveries that are due, in order, and sets the alarm for the next one. */
  #lookAhead(): void {
    const { state, clock } = this.#context
    const now = clock.now()
    for (const { nextAttemptAt, sequence, endpointId } of state.deliveries.dueAfter(this.#lastQueued)) {
      const at = nextAttemptAt as number
      if (at > now) {
        this.#setAlarm(at)
        break
      }
      this.#lastQueued = { nextAttemptAt, sequence }
      if (this.#queued.has(sequence) || this.#inFlight.has(sequence)) continue
      this.#queued.add(sequence)
      this.#queue.add(endpointId, sequence)
    }
    this.#queue.pump()
  }
}

const messageOf = ({ id, endpointId, attempts }: DeliveryRecord): AttemptMessage => ({
  deliveryId: id,
  endpointId,
  attempt: attempts.length + 1,
})

/**
 * Returns the headers of an attempt as a flat list of names and values (DLV-04). `X-Service-Event` equals the event of the body
 * (DLV-13), and the delivery id is the same in every attempt (DLV-06).
 */
function deliveryHeaders(delivery: DeliveryRecord, timestamp: number, signature: string): string[] {
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
