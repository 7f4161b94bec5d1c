import { LIMITS } from '@formwire/contract'
import { type DeliveryRecord, isExpired, sequenceOfId } from '../domain/delivery.ts'
import { Index, Table } from './table.ts'

/** A delivery as JSON, with its body as text. */
export type DeliveryDump = Omit<DeliveryRecord, 'body'> & { readonly body: string | null }

export interface DeliveriesDump {
  readonly deliveries: readonly DeliveryDump[]
  readonly lastSequence: number
}

/** When a pending delivery is due. Of two due at the same instant the one created earlier comes first. */
export type DueKey = Pick<DeliveryRecord, 'nextAttemptAt' | 'sequence'>
type LogKey = Pick<DeliveryRecord, 'endpointId' | 'status' | 'sequence'>
type ResponseKey = Pick<DeliveryRecord, 'responseId' | 'sequence'>

const isPending = ({ status }: Pick<DeliveryRecord, 'status'>): boolean => status === 'pending'

/**
 * Finished deliveries kept per endpoint: those that the log shows, and some that pending ones may hide from it. Older
 * ones are dropped, 50 at a time, to bound the memory of busy endpoints.
 */
const FINISHED_KEPT = 5 * LIMITS.deliveryLogEntries
const DROPPED_AT_ONCE = 50

/** The delivery log, with the pending deliveries in the order in which they are due. */
export class DeliveriesTable extends Table<DeliveryRecord> {
  protected due = new Index<DeliveryRecord, DueKey>(
    (a, b) => Number(a.nextAttemptAt) - Number(b.nextAttemptAt) || a.sequence - b.sequence,
    ({ nextAttemptAt }) => nextAttemptAt !== null,
  )
  /** By endpoint: pending deliveries, then finished ones. */
  protected logs = new Index<DeliveryRecord, LogKey>(
    (a, b) =>
      a.endpointId - b.endpointId || Number(isPending(b)) - Number(isPending(a)) || a.sequence - b.sequence,
  )
  protected pendingByResponse = new Index<DeliveryRecord, ResponseKey>(
    (a, b) => a.responseId - b.responseId || a.sequence - b.sequence,
    (delivery) => isPending(delivery) && delivery.responseId > 0,
  )

  constructor() {
    super('sequence')
  }

  /** Returns the delivery with this id, unless it is past the retention period (DLV-09). */
  find(id: string, now: number): DeliveryRecord | undefined {
    // Sequences start at 1.
    const delivery = this.get(sequenceOfId(id) ?? 0)
    if (delivery?.id !== id) return undefined
    if (!isExpired(delivery, now)) return delivery
    this.delete(delivery.sequence)
    return undefined
  }

  /** Returns the latest deliveries of an endpoint, newest first, at most 50 (DLV-07, DLV-09). */
  log(endpointId: number, now: number): DeliveryRecord[] {
    return this.ofEndpoint(endpointId, now, LIMITS.deliveryLogEntries)
      .sort((a, b) => b.sequence - a.sequence)
      .slice(0, LIMITS.deliveryLogEntries)
  }

  /** Returns all deliveries of an endpoint that are kept: pending ones, then finished ones. `latest` limits each. */
  ofEndpoint(endpointId: number, now: number, latest?: number): DeliveryRecord[] {
    // Finished deliveries are in the order of creation, so expired ones come first.
    for (const delivery of this.logged(endpointId, 'delivered')) {
      if (!isExpired(delivery, now)) break
      this.delete(delivery.sequence)
    }
    return [...this.logged(endpointId, 'pending', latest), ...this.logged(endpointId, 'delivered', latest)]
  }

  /** Returns the pending deliveries of an endpoint, oldest first. */
  pendingOfEndpoint(endpointId: number): DeliveryRecord[] {
    return this.logged(endpointId, 'pending')
  }

  /** Number of pending deliveries of an endpoint. */
  pendingCountOfEndpoint(endpointId: number): number {
    return this.logs.count(...logBounds(endpointId, 'pending'))
  }

  /** Returns the pending deliveries of a response, oldest first. */
  pendingOfResponse(responseId: number): DeliveryRecord[] {
    return this.pendingByResponse.page({ responseId, sequence: 0 }, { responseId, sequence: Infinity }).items
  }

  /** Number of pending deliveries. */
  get pendingCount(): number {
    return this.due.size
  }

  /** Yields the pending deliveries that are due after a key, in order. */
  dueAfter(key: DueKey): IterableIterator<DeliveryRecord> {
    return this.due.after(key)
  }

  /** Adds a delivery, or replaces the one with its sequence. */
  override put(delivery: DeliveryRecord): DeliveryRecord | undefined {
    const before = super.put(delivery)
    const { endpointId, status } = delivery
    if (status === 'pending' || before?.status === status) return before
    const surplus = this.logs.count(...logBounds(endpointId, status)) - FINISHED_KEPT
    if (surplus >= DROPPED_AT_ONCE)
      for (const { sequence } of this.logged(endpointId, status).slice(0, surplus)) this.delete(sequence)
    return before
  }

  /** Removes the whole log of an endpoint, pending deliveries included (HOOK-03). */
  deleteOfEndpoint(endpointId: number): void {
    for (const { sequence } of this.ofEndpoint(endpointId, -Infinity)) this.delete(sequence)
  }

  dump(): DeliveriesDump {
    const deliveries = this.all().map((delivery) => ({
      ...delivery,
      body: delivery.body && Buffer.from(delivery.body).toString('utf8'),
    }))
    return { deliveries, lastSequence: this.lastId }
  }

  load({ deliveries, lastSequence }: DeliveriesDump): this {
    for (const delivery of deliveries)
      this.put({ ...delivery, body: delivery.body === null ? null : Buffer.from(delivery.body) })
    return this.putAll([], lastSequence)
  }

  protected logged(
    endpointId: number,
    status: DeliveryRecord['status'],
    latest = Infinity,
  ): DeliveryRecord[] {
    const bounds = logBounds(endpointId, status)
    return this.logs.page(...bounds, Math.max(0, this.logs.count(...bounds) - latest)).items
  }
}

/** The bounds of the pending deliveries of an endpoint, or of its finished ones. */
const logBounds = (endpointId: number, status: DeliveryRecord['status']): [LogKey, LogKey] => [
  { endpointId, status, sequence: 0 },
  { endpointId, status, sequence: Infinity },
]
