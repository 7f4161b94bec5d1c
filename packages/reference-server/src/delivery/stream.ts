import type { DeliveryRecord } from '../domain/delivery.ts'
import { type SseEvent, SseSubscription } from './sse-subscription.ts'

/** Which entries a subscriber wants. All, when nothing is said. */
export interface StreamFilter {
  readonly formId?: string | undefined
  readonly endpointId?: number | undefined
}

/** Events kept for those who come back or fall behind, and bytes of the bodies that they keep alive, at most. */
const KEPT_EVENTS = 1000
const KEPT_BODY_BYTES = 64 * 1_048_576

/** Real milliseconds without an event after which a comment shows that the connection lives. */
const HEARTBEAT_MS = 15_000

interface StreamOptions {
  /** The data of an entry, as JSON. */
  readonly write: (delivery: DeliveryRecord) => string
  /** Tells the ids of this server from those of one before it. */
  readonly epoch: string
  readonly heartbeatMs?: number
}

/**
 * Every change of the delivery log, as server-sent events. One ring of the latest events serves all subscribers, each
 * with a position in it and nothing else: one that reads slowly costs no memory and finds a `gap` when it is overtaken.
 */
export class DeliveryStream {
  readonly #options: StreamOptions
  readonly #ring: (StreamEvent | undefined)[] = []
  readonly #subscriptions = new Set<SseSubscription>()
  /** Number of the oldest event that is kept, and of the next one to come. */
  #oldest = 1
  #next = 1
  #bodyBytes = 0
  #closed = false

  constructor(options: StreamOptions) {
    this.#options = options
  }

  /** An entry was created or has changed. */
  publish(delivery: DeliveryRecord): void {
    this.#append({ type: 'delivery', delivery })
  }

  /** The whole log was replaced. What came before is gone with it. */
  reset(): void {
    this.#oldest = this.#next
    this.#ring.length = 0
    this.#bodyBytes = 0
    this.#append({ type: 'reset' })
  }

  /**
   * Subscribes from now on, or from after the event with this id. Ends when `signal` aborts or the server closes.
   *
   * @param lastEventId `Last-Event-ID` of a client that comes back.
   */
  subscribe(
    filter: StreamFilter,
    lastEventId: string | undefined,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array> {
    const subscription = new SseSubscription({
      position: this.#positionAfter(lastEventId),
      read: (position) => this.#read(position, filter),
      heartbeatMs: this.#options.heartbeatMs ?? HEARTBEAT_MS,
      onStart: () => this.#subscriptions.add(subscription),
      onEnd: () => this.#subscriptions.delete(subscription),
    })
    if (this.#closed || signal.aborted) subscription.end()
    signal.addEventListener('abort', () => subscription.end(), { once: true })
    return subscription
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#closed = true
    for (const subscription of this.#subscriptions) subscription.end()
  }

  #append(event: StreamEvent): void {
    if (this.#next - this.#oldest === KEPT_EVENTS) this.#dropOldest()
    this.#ring[this.#next % KEPT_EVENTS] = event
    this.#next += 1
    this.#bodyBytes += bodyBytes(event)
    while (this.#bodyBytes > KEPT_BODY_BYTES) this.#dropOldest()
    for (const subscription of this.#subscriptions) subscription.wake()
  }

  #dropOldest(): void {
    const place = this.#oldest % KEPT_EVENTS
    this.#bodyBytes -= bodyBytes(this.#ring[place] as StreamEvent)
    this.#ring[place] = undefined
    this.#oldest += 1
  }

  /** Where to go on after an id. One that this server did not give lies before everything. */
  #positionAfter(lastEventId: string | undefined): number {
    if (lastEventId === undefined) return this.#next
    const [, epoch, number] = /^(.+)-(\d{1,15})$/.exec(lastEventId) ?? []
    const position = Number(number) + 1
    return epoch === this.#options.epoch && position <= this.#next ? position : 0
  }

  /** What stands at a position and the position after it; `undefined` when nothing does yet. */
  #read(position: number, filter: StreamFilter): { event: SseEvent | null; next: number } | undefined {
    if (position < this.#oldest) {
      // A reset says itself that all before it is void.
      const oldest = this.#ring[this.#oldest % KEPT_EVENTS]
      if (this.#oldest < this.#next && oldest?.type === 'reset') return this.#read(this.#oldest, filter)
      return { event: { id: this.#id(this.#oldest - 1), type: 'gap', data: '{}' }, next: this.#oldest }
    }
    if (position >= this.#next) return undefined
    const event = this.#ring[position % KEPT_EVENTS] as StreamEvent
    return { event: this.#write(event, position, filter), next: position + 1 }
  }

  #write(event: StreamEvent, number: number, filter: StreamFilter): SseEvent | null {
    if (event.type === 'reset') return { id: this.#id(number), type: 'reset', data: '{}' }
    const { delivery } = event
    if (filter.formId !== undefined && delivery.formId !== filter.formId) return null
    if (filter.endpointId !== undefined && delivery.endpointId !== filter.endpointId) return null
    return { id: this.#id(number), type: 'delivery', data: this.#options.write(delivery) }
  }

  #id(number: number): string {
    return `${this.#options.epoch}-${number}`
  }
}

type StreamEvent =
  | { readonly type: 'delivery'; readonly delivery: DeliveryRecord }
  | { readonly type: 'reset' }

const bodyBytes = (event: StreamEvent): number =>
  event.type === 'delivery' ? (event.delivery.body?.byteLength ?? 0) : 0
