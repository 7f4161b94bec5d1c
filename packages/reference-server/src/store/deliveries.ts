import { LIMITS } from '@formwire/contract'
import { type DeliveryRecord, isExpired, sequenceOfId } from '../domain/delivery.ts'
import { byNumber } from './compare.ts'
import { OrderedMap } from './ordered-map.ts'

/** A delivery as JSON: its body is text. */
type DeliveryDump = Omit<DeliveryRecord, 'body'> & { readonly body: string | null }

export interface DeliveriesDump {
  readonly deliveries: readonly DeliveryDump[]
  readonly lastSequence: number
}

/** When a waiting delivery is due; of two due at one instant the one created earlier goes first. */
export interface DueKey {
  readonly at: number
  readonly sequence: number
}

/** Something that has deliveries (an endpoint, a response), and one of them. */
interface Place {
  readonly owner: number
  readonly sequence: number
}

const byDue = (a: DueKey, b: DueKey): number => a.at - b.at || a.sequence - b.sequence
const byPlace = (a: Place, b: Place): number => a.owner - b.owner || a.sequence - b.sequence

/**
 * Finished deliveries kept of one endpoint: those the log shows, and some that a waiting one may have pushed out of
 * its view. Older ones are dropped, so that a busy endpoint takes no more memory than a quiet one.
 */
const FINISHED_KEPT = 5 * LIMITS.deliveryLogEntries
const DROP_EVERY = 50

/** The delivery log, with what waits in the order in which it is due. Nothing here costs more than O(log n). */
export class DeliveriesTable {
  #bySequence = new OrderedMap<number, DeliveryRecord>(byNumber)
  #due = new OrderedMap<DueKey, number>(byDue)
  #waitingOfEndpoint = new OrderedMap<Place, number>(byPlace)
  #waitingOfResponse = new OrderedMap<Place, number>(byPlace)
  #finishedOfEndpoint = new OrderedMap<Place, number>(byPlace)
  /** Not part of the state: a fork counts from 0. */
  readonly #finishedSinceDrop = new Map<number, number>()
  #lastSequence = 0

  nextSequence(): number {
    return ++this.#lastSequence
  }

  bySequence(sequence: number): DeliveryRecord | undefined {
    return this.#bySequence.get(sequence)
  }

  /** The delivery with this id, unless the log has let go of it (DLV-09). */
  get(id: string, now: number): DeliveryRecord | undefined {
    const sequence = sequenceOfId(id)
    const delivery = sequence === undefined ? undefined : this.#bySequence.get(sequence)
    if (delivery?.id !== id) return undefined
    if (!isExpired(delivery, now)) return delivery
    this.#remove(delivery)
    return undefined
  }

  /** The latest deliveries of an endpoint, newest first, at most 50 (DLV-07, DLV-09). */
  log(endpointId: number, now: number): DeliveryRecord[] {
    this.#dropExpired(endpointId, now)
    const latest = [
      ...latestOf(this.#waitingOfEndpoint, endpointId),
      ...latestOf(this.#finishedOfEndpoint, endpointId),
    ]
    return latest
      .sort((a, b) => b - a)
      .slice(0, LIMITS.deliveryLogEntries)
      .map((sequence) => this.#bySequence.get(sequence) as DeliveryRecord)
  }

  /** Waiting deliveries of an endpoint, oldest first. */
  waitingOfEndpoint(endpointId: number): DeliveryRecord[] {
    return this.#records(this.#waitingOfEndpoint, endpointId)
  }

  /** Waiting deliveries of a response, oldest first. */
  waitingOfResponse(responseId: number): DeliveryRecord[] {
    return this.#records(this.#waitingOfResponse, responseId)
  }

  /** How many deliveries wait. */
  get waiting(): number {
    return this.#due.size
  }

  /** Waiting deliveries in the order in which they are due, after a place in it, with their endpoints. */
  *dueAfter(after: DueKey): IterableIterator<readonly [DueKey, number]> {
    for (const entry of this.#due.entries(this.#due.rank(after))) {
      if (byDue(entry[0], after) !== 0) yield entry
    }
  }

  /** Adds a delivery, or replaces the one with its sequence. */
  put(delivery: DeliveryRecord): void {
    const { sequence } = delivery
    const before = this.#bySequence.get(sequence)
    this.#bySequence.set(sequence, delivery)
    if (!before) this.#lastSequence = Math.max(this.#lastSequence, sequence)
    if (before?.nextAttemptAt !== delivery.nextAttemptAt) {
      if (before?.nextAttemptAt != null) this.#due.delete({ at: before.nextAttemptAt, sequence })
      if (delivery.nextAttemptAt !== null)
        this.#due.set({ at: delivery.nextAttemptAt, sequence }, delivery.endpointId)
    }
    if (before?.status === delivery.status) return
    if (before?.status === 'pending') this.#unlinkWaiting(before)
    if (delivery.status === 'pending') this.#linkWaiting(delivery)
    else {
      this.#finishedOfEndpoint.set({ owner: delivery.endpointId, sequence }, sequence)
      this.#dropSurplusSometimes(delivery.endpointId)
    }
  }

  /** Removes the whole log of an endpoint, waiting deliveries too (HOOK-03). */
  deleteOfEndpoint(endpointId: number): void {
    for (const delivery of this.#records(this.#waitingOfEndpoint, endpointId)) this.#remove(delivery)
    for (const delivery of this.#records(this.#finishedOfEndpoint, endpointId)) this.#remove(delivery)
    this.#finishedSinceDrop.delete(endpointId)
  }

  fork(): DeliveriesTable {
    const copy = new DeliveriesTable()
    copy.#bySequence = this.#bySequence.clone()
    copy.#due = this.#due.clone()
    copy.#waitingOfEndpoint = this.#waitingOfEndpoint.clone()
    copy.#waitingOfResponse = this.#waitingOfResponse.clone()
    copy.#finishedOfEndpoint = this.#finishedOfEndpoint.clone()
    copy.#lastSequence = this.#lastSequence
    return copy
  }

  dump(): DeliveriesDump {
    const deliveries = [...this.#bySequence.values()].map((delivery) => ({
      ...delivery,
      body: delivery.body && Buffer.from(delivery.body).toString('utf8'),
    }))
    return { deliveries, lastSequence: this.#lastSequence }
  }

  static load(dump: DeliveriesDump): DeliveriesTable {
    const table = new DeliveriesTable()
    for (const delivery of dump.deliveries) {
      table.put({ ...delivery, body: delivery.body === null ? null : Buffer.from(delivery.body) })
    }
    table.#lastSequence = Math.max(table.#lastSequence, dump.lastSequence)
    return table
  }

  #linkWaiting(delivery: DeliveryRecord): void {
    const { sequence } = delivery
    this.#waitingOfEndpoint.set({ owner: delivery.endpointId, sequence }, sequence)
    if (delivery.responseId > 0)
      this.#waitingOfResponse.set({ owner: delivery.responseId, sequence }, sequence)
  }

  #unlinkWaiting(delivery: DeliveryRecord): void {
    const { sequence } = delivery
    this.#waitingOfEndpoint.delete({ owner: delivery.endpointId, sequence })
    if (delivery.responseId > 0) this.#waitingOfResponse.delete({ owner: delivery.responseId, sequence })
  }

  #remove(delivery: DeliveryRecord): void {
    const { sequence } = delivery
    this.#bySequence.delete(sequence)
    if (delivery.nextAttemptAt !== null) this.#due.delete({ at: delivery.nextAttemptAt, sequence })
    if (delivery.status === 'pending') this.#unlinkWaiting(delivery)
    else this.#finishedOfEndpoint.delete({ owner: delivery.endpointId, sequence })
  }

  /** Looks for surplus at every so many entries of an endpoint: to look each time costs more than to keep a few. */
  #dropSurplusSometimes(endpointId: number): void {
    const finished = (this.#finishedSinceDrop.get(endpointId) ?? 0) + 1
    this.#finishedSinceDrop.set(endpointId, finished % DROP_EVERY)
    if (finished < DROP_EVERY) return
    const { start, end } = rangeOf(this.#finishedOfEndpoint, endpointId)
    const surplus = this.#finishedOfEndpoint.slice(start, end - start - FINISHED_KEPT)
    for (const sequence of surplus) this.#remove(this.#bySequence.get(sequence) as DeliveryRecord)
  }

  /** Finished deliveries stand in the order of creation: the expired ones come first. */
  #dropExpired(endpointId: number, now: number): void {
    for (const delivery of this.#records(this.#finishedOfEndpoint, endpointId)) {
      if (!isExpired(delivery, now)) return
      this.#remove(delivery)
    }
  }

  #records(index: OrderedMap<Place, number>, owner: number): DeliveryRecord[] {
    const { start, end } = rangeOf(index, owner)
    return index.slice(start, end - start).map((sequence) => this.#bySequence.get(sequence) as DeliveryRecord)
  }
}

function rangeOf(index: OrderedMap<Place, number>, owner: number): { start: number; end: number } {
  return {
    start: index.rank({ owner, sequence: -Infinity }),
    end: index.rank({ owner, sequence: Infinity }),
  }
}

function latestOf(index: OrderedMap<Place, number>, owner: number): number[] {
  const { start, end } = rangeOf(index, owner)
  const from = Math.max(start, end - LIMITS.deliveryLogEntries)
  return index.slice(from, end - from)
}
