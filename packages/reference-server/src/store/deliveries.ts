import { LIMITS } from '@formwire/contract'
import { byNumber, OrderedMap } from '../collections/ordered-map.ts'
import { type DeliveryRecord, isExpired, sequenceOfId } from '../domain/delivery.ts'

/** A delivery as JSON, with its body as text. */
type DeliveryDump = Omit<DeliveryRecord, 'body'> & { readonly body: string | null }

export interface DeliveriesDump {
  readonly deliveries: readonly DeliveryDump[]
  readonly lastSequence: number
}

/** When a pending delivery is due. Of two due at the same instant the one created earlier comes first. */
export interface DueKey {
  readonly at: number
  readonly sequence: number
}

/** An owner of deliveries (an endpoint, a response), and one of its deliveries. */
interface DeliveryKey {
  readonly owner: number
  readonly sequence: number
}

const byDue = (a: DueKey, b: DueKey): number => a.at - b.at || a.sequence - b.sequence
const byDeliveryKey = (a: DeliveryKey, b: DeliveryKey): number => a.owner - b.owner || a.sequence - b.sequence

/**
 * Finished deliveries kept per endpoint: those that the log shows, and some that pending ones may hide from it. Older
 * ones are dropped to bound the memory of busy endpoints.
 */
const FINISHED_KEPT = 5 * LIMITS.deliveryLogEntries
const DROP_EVERY = 50

/** The delivery log, with the pending deliveries in the order in which they are due. All operations are O(log n). */
export class DeliveriesTable {
  #bySequence = new OrderedMap<number, DeliveryRecord>(byNumber)
  #due = new OrderedMap<DueKey, number>(byDue)
  #pendingOfEndpoint = new OrderedMap<DeliveryKey, number>(byDeliveryKey)
  #pendingOfResponse = new OrderedMap<DeliveryKey, number>(byDeliveryKey)
  #finishedOfEndpoint = new OrderedMap<DeliveryKey, number>(byDeliveryKey)
  /** Not part of the state; starts from 0 in a fork. */
  readonly #finishedSinceDrop = new Map<number, number>()
  #lastSequence = 0
  #revision = 0

  /** Grows with every delivery that is added or replaced. */
  get revision(): number {
    return this.#revision
  }

  nextSequence(): number {
    return ++this.#lastSequence
  }

  bySequence(sequence: number): DeliveryRecord | undefined {
    return this.#bySequence.get(sequence)
  }

  /** Returns the delivery with this id, unless it is past the retention period (DLV-09). */
  get(id: string, now: number): DeliveryRecord | undefined {
    // Sequences start at 1.
    const delivery = this.#bySequence.get(sequenceOfId(id) ?? 0)
    if (delivery?.id !== id) return undefined
    if (!isExpired(delivery, now)) return delivery
    this.#remove(delivery)
    return undefined
  }

  /** Returns the latest deliveries of an endpoint, newest first, at most 50 (DLV-07, DLV-09). */
  log(endpointId: number, now: number): DeliveryRecord[] {
    this.#dropExpired(endpointId, now)
    const latest = [
      ...latestOf(this.#pendingOfEndpoint, endpointId),
      ...latestOf(this.#finishedOfEndpoint, endpointId),
    ]
    return latest
      .sort((a, b) => b - a)
      .slice(0, LIMITS.deliveryLogEntries)
      .map((sequence) => this.#bySequence.get(sequence) as DeliveryRecord)
  }

  /** Returns all deliveries of an endpoint that are kept: pending ones, then finished ones. */
  ofEndpoint(endpointId: number, now: number): DeliveryRecord[] {
    this.#dropExpired(endpointId, now)
    return [
      ...this.#records(this.#pendingOfEndpoint, endpointId),
      ...this.#records(this.#finishedOfEndpoint, endpointId),
    ]
  }

  /** Returns the latest deliveries of all endpoints that are kept, newest first. */
  latest(count: number, now: number): DeliveryRecord[] {
    const latest = this.#bySequence.slice(this.#bySequence.size - count, count).reverse()
    return latest.filter((delivery) => !isExpired(delivery, now))
  }

  /** Number of deliveries that are kept. */
  get size(): number {
    return this.#bySequence.size
  }

  /** Returns the pending deliveries of an endpoint, oldest first. */
  pendingOfEndpoint(endpointId: number): DeliveryRecord[] {
    return this.#records(this.#pendingOfEndpoint, endpointId)
  }

  /** Number of pending deliveries of an endpoint. */
  pendingCountOfEndpoint(endpointId: number): number {
    const { start, end } = rangeOf(this.#pendingOfEndpoint, endpointId)
    return end - start
  }

  /** Returns the pending deliveries of a response, oldest first. */
  pendingOfResponse(responseId: number): DeliveryRecord[] {
    return this.#records(this.#pendingOfResponse, responseId)
  }

  /** Number of pending deliveries. */
  get pendingCount(): number {
    return this.#due.size
  }

  /** Yields the pending deliveries that are due after a key, in order, with their endpoint ids. */
  *dueAfter(after: DueKey): IterableIterator<readonly [DueKey, number]> {
    for (const entry of this.#due.entries(this.#due.rank(after))) {
      if (byDue(entry[0], after) !== 0) yield entry
    }
  }

  /** Adds a delivery, or replaces the one with its sequence. */
  put(delivery: DeliveryRecord): void {
    this.#revision += 1
    const { sequence } = delivery
    const before = this.#bySequence.get(sequence)
    this.#bySequence.set(sequence, delivery)
    this.#lastSequence = Math.max(this.#lastSequence, sequence)
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

  /** Removes the whole log of an endpoint, pending deliveries included (HOOK-03). */
  deleteOfEndpoint(endpointId: number): void {
    for (const delivery of this.#records(this.#pendingOfEndpoint, endpointId)) this.#remove(delivery)
    for (const delivery of this.#records(this.#finishedOfEndpoint, endpointId)) this.#remove(delivery)
    this.#finishedSinceDrop.delete(endpointId)
  }

  fork(): DeliveriesTable {
    const copy = new DeliveriesTable()
    copy.#bySequence = this.#bySequence.clone()
    copy.#due = this.#due.clone()
    copy.#pendingOfEndpoint = this.#pendingOfEndpoint.clone()
    copy.#pendingOfResponse = this.#pendingOfResponse.clone()
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
    this.#pendingOfEndpoint.set({ owner: delivery.endpointId, sequence }, sequence)
    if (delivery.responseId > 0)
      this.#pendingOfResponse.set({ owner: delivery.responseId, sequence }, sequence)
  }

  #unlinkWaiting(delivery: DeliveryRecord): void {
    const { sequence } = delivery
    this.#pendingOfEndpoint.delete({ owner: delivery.endpointId, sequence })
    this.#pendingOfResponse.delete({ owner: delivery.responseId, sequence })
  }

  #remove(delivery: DeliveryRecord): void {
    const { sequence } = delivery
    this.#bySequence.delete(sequence)
    if (delivery.nextAttemptAt === null) {
      this.#finishedOfEndpoint.delete({ owner: delivery.endpointId, sequence })
    } else {
      this.#due.delete({ at: delivery.nextAttemptAt, sequence })
      this.#unlinkWaiting(delivery)
    }
  }

  /** Looks for surplus deliveries only now and then, which is cheaper than each time. */
  #dropSurplusSometimes(endpointId: number): void {
    const finished = (this.#finishedSinceDrop.get(endpointId) ?? 0) + 1
    this.#finishedSinceDrop.set(endpointId, finished % DROP_EVERY)
    if (finished < DROP_EVERY) return
    const { start, end } = rangeOf(this.#finishedOfEndpoint, endpointId)
    const surplus = this.#finishedOfEndpoint.slice(start, end - start - FINISHED_KEPT)
    for (const sequence of surplus) this.#remove(this.#bySequence.get(sequence) as DeliveryRecord)
  }

  /** Finished deliveries are in the order of creation, so expired ones come first. */
  #dropExpired(endpointId: number, now: number): void {
    for (const delivery of this.#records(this.#finishedOfEndpoint, endpointId)) {
      if (!isExpired(delivery, now)) return
      this.#remove(delivery)
    }
  }

  #records(index: OrderedMap<DeliveryKey, number>, owner: number): DeliveryRecord[] {
    const { start, end } = rangeOf(index, owner)
    return index.slice(start, end - start).map((sequence) => this.#bySequence.get(sequence) as DeliveryRecord)
  }
}

function rangeOf(index: OrderedMap<DeliveryKey, number>, owner: number): { start: number; end: number } {
  return {
    start: index.rank({ owner, sequence: -Infinity }),
    end: index.rank({ owner, sequence: Infinity }),
  }
}

function latestOf(index: OrderedMap<DeliveryKey, number>, owner: number): number[] {
  const { start, end } = rangeOf(index, owner)
  const from = Math.max(start, end - LIMITS.deliveryLogEntries)
  return index.slice(from, end - from)
}
