import type { DeliveryRecord } from '../domain/delivery.ts'
import { elapsedTime, type TimeSource } from '../real-timers.ts'

/** Selects the deliveries of a subscription. @default all */
export interface StreamFilter {
  readonly formId?: string | undefined
  readonly endpointId?: number | undefined
}

/** Maximum number of events kept for subscribers that reconnect or are slow, and of the bytes of their bodies. */
const KEPT_EVENTS = 1000
const KEPT_BODY_BYTES = 64 * 1_048_576

/** Maximum number of concurrent subscribers. */
const SUBSCRIBERS_MAX = 256

interface StreamOptions {
  /** Returns the data of a delivery as JSON. */
  readonly write: (delivery: DeliveryRecord) => string
  /** Distinguishes the event ids of this server from those of an earlier one. */
  readonly epoch: string
  /** Times heartbeats and chunks. @default real time */
  readonly time?: TimeSource
}

/**
 * Streams every change of the delivery log as server-sent events. All subscribers share a ring of the latest events, so
 * that a slow reader costs no memory; it gets a `gap` event when it has missed some. Each event is encoded once, when the
 * first subscriber reads it.
 */
export class DeliveryStream {
  readonly #options: StreamOptions
  readonly #ring: (StreamEvent | undefined)[] = []
  readonly #subscriptions = new Set<Subscription>()
  /** Numbers of the oldest kept event and of the next event. */
  #oldest = 1
  #next = 1
  #bodyBytes = 0
  #closed = false

  constructor(options: StreamOptions) {
    this.#options = options
  }

  /** Whether the maximum of subscribers is reached. */
  get full(): boolean {
    return this.#subscriptions.size >= SUBSCRIBERS_MAX
  }

  /** Publishes a delivery that was created or has changed. */
  publish(delivery: DeliveryRecord): void {
    this.#append({ type: 'delivery', delivery, frame: undefined })
  }

  /** Publishes that the whole log was replaced, and drops earlier events. */
  reset(): void {
    this.#oldest = this.#next
    this.#ring.length = 0
    this.#bodyBytes = 0
    this.#append({ type: 'reset' })
  }

  /**
   * Subscribes to new events, or to those after the event with this id. Ends when `signal` aborts or the server closes.
   *
   * @param lastEventId `Last-Event-ID` of a client that reconnects.
   */
  subscribe(
    filter: StreamFilter,
    lastEventId: string | undefined,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array> {
    let position = this.#positionAfter(lastEventId)
    const readFrame = (): Uint8Array | undefined => {
      for (;;) {
        const read = this.#read(position, filter)
        if (!read) return undefined
        position = read.next
        if (read.frame) return read.frame
      }
    }
    const subscription = new Subscription(readFrame, this.#subscriptions, this.#options.time ?? elapsedTime)
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
    if (this.#closed) return
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

  /** Returns the position after an id. An id of another server is before all events. */
  #positionAfter(lastEventId: string | undefined): number {
    if (lastEventId === undefined) return this.#next
    const [, epoch, number] = /^(.+)-(\d{1,15})$/.exec(lastEventId) ?? []
    const position = Number(number) + 1
    return epoch === this.#options.epoch && position <= this.#next ? position : 0
  }

  /** Returns the event at a position and the next position; `undefined` at the end. */
  #read(position: number, filter: StreamFilter): { frame: Uint8Array | null; next: number } | undefined {
    if (position < this.#oldest) {
      // A reset event implies that all earlier events are void.
      const oldest = this.#ring[this.#oldest % KEPT_EVENTS]
      if (oldest?.type === 'reset') return this.#read(this.#oldest, filter)
      return { frame: encodeEvent(this.#id(this.#oldest - 1), 'gap', '{}'), next: this.#oldest }
    }
    if (position >= this.#next) return undefined
    const event = this.#ring[position % KEPT_EVENTS] as StreamEvent
    return { frame: this.#frameOf(event, position, filter), next: position + 1 }
  }

  /** Returns `null` for an event that the filter excludes. */
  #frameOf(event: StreamEvent, number: number, filter: StreamFilter): Uint8Array | null {
    const id = this.#id(number)
    if (event.type === 'reset') return encodeEvent(id, 'reset', '{}')
    const { delivery } = event
    if (filter.formId !== undefined && delivery.formId !== filter.formId) return null
    if (filter.endpointId !== undefined && delivery.endpointId !== filter.endpointId) return null
    event.frame ??= encodeEvent(id, 'delivery', this.#options.write(delivery))
    return event.frame
  }

  #id(number: number): string {
    return `${this.#options.epoch}-${number}`
  }
}

type StreamEvent =
  | { readonly type: 'delivery'; readonly delivery: DeliveryRecord; frame: Uint8Array | undefined }
  | { readonly type: 'reset' }

const bodyBytes = (event: StreamEvent): number =>
  event.type === 'delivery' ? (event.delivery.body?.byteLength ?? 0) : 0

const utf8 = new TextEncoder()

/** Returns the bytes of an event, which all subscribers share. @param data A single line. */
const encodeEvent = (id: string, type: string, data: string): Uint8Array =>
  utf8.encode(`id: ${id}\nevent: ${type}\ndata: ${data}\n\n`)

/** Milliseconds without an event after which a heartbeat comment is sent. */
const HEARTBEAT_MS = 15_000

/** Pause after a chunk, in milliseconds: each write to the socket has a cost besides that of its events. */
const PAUSE_MS = 100

/** Bytes of events after which a chunk is full. No pause follows it. */
const CHUNK_BYTES = 65_536

const GREETING = utf8.encode('retry: 1000\n\n')
const HEARTBEAT = utf8.encode(': still here\n\n')

/** The body of a subscription. It reads events only when the connection needs more, so that a slow reader costs only its position. */
class Subscription implements AsyncIterable<Uint8Array> {
  readonly #readFrame: () => Uint8Array | undefined
  /** The subscriptions to wake, of which this is one while it is read. */
  readonly #read: Set<Subscription>
  readonly #time: TimeSource
  #ended = false
  /** Ends a wait: for the next event, and for the end. */
  #wake = (): void => {}
  #stop = (): void => {}

  constructor(readFrame: () => Uint8Array | undefined, read: Set<Subscription>, time: TimeSource) {
    this.#readFrame = readFrame
    this.#read = read
    this.#time = time
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const chunks = this.#chunks()
    return {
      next: () => chunks.next(),
      // The connection was closed. A generator that waits would only return after its wait.
      return: () => {
        this.end()
        return chunks.return(undefined)
      },
    }
  }

  /** Reports that there is something new to read. */
  wake(): void {
    this.#wake()
  }

  end(): void {
    this.#ended = true
    this.#read.delete(this)
    this.#stop()
  }

  async *#chunks(): AsyncGenerator<Uint8Array, undefined> {
    if (this.#ended) return
    this.#read.add(this)
    // Sends the headers, and shortens a browser's delay before it reconnects.
    yield GREETING
    let pausesUntil = Number.NEGATIVE_INFINITY
    for (;;) {
      const heartbeatAt = this.#time.now() + HEARTBEAT_MS
      const pauseMs = pausesUntil - this.#time.now()
      if (pauseMs > 0 && !this.#ended) await this.#wait(pauseMs, { forEvents: false })
      let chunk = this.#readChunk()
      // Whatever wakes it may be for other subscribers.
      while (!chunk && !this.#ended && this.#time.now() < heartbeatAt) {
        await this.#wait(heartbeatAt - this.#time.now(), { forEvents: true })
        chunk = this.#readChunk()
      }
      if (!chunk && this.#ended) return
      if (chunk && chunk.byteLength < CHUNK_BYTES) pausesUntil = this.#time.now() + PAUSE_MS
      yield chunk ?? HEARTBEAT
    }
  }

  /** Reads waiting events, up to a full chunk. */
  #readChunk(): Uint8Array | undefined {
    const frames: Uint8Array[] = []
    let bytes = 0
    for (let frame = this.#readFrame(); frame; frame = bytes < CHUNK_BYTES ? this.#readFrame() : undefined) {
      frames.push(frame)
      bytes += frame.byteLength
    }
    return frames.length > 1 ? Buffer.concat(frames) : frames[0]
  }

  /** Waits until the time is over or the subscription ends; with `forEvents`, also until `wake` is called. */
  #wait(waitMs: number, { forEvents }: { readonly forEvents: boolean }): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        cancel()
        this.#wake = this.#stop = () => {}
        resolve()
      }
      const cancel = this.#time.wakeAfter(waitMs, settle)
      this.#stop = settle
      if (forEvents) this.#wake = settle
    })
  }
}
