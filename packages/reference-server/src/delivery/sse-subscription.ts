import type { TimeSource } from '../real-timers.ts'

/** A server-sent event. */
interface SseEvent {
  readonly id: string
  readonly type: string
  /** A single line. */
  readonly data: string
}

export interface SseSource {
  /** First position to read. */
  readonly position: number
  /** Returns the event at a position (`null`: not for this subscriber) and the next position. */
  readonly read: (
    position: number,
  ) => { readonly frame: Uint8Array | null; readonly next: number } | undefined
  /** Called when the subscription is read; from now on call `wake`. */
  readonly onStart: () => void
  readonly onEnd: () => void
}

const utf8 = new TextEncoder()

/** Returns the bytes of an event, which all subscribers share. */
export const encodeEvent = ({ id, type, data }: SseEvent): Uint8Array =>
  utf8.encode(`id: ${id}\nevent: ${type}\ndata: ${data}\n\n`)

/** Milliseconds without an event after which a heartbeat comment is sent. */
const HEARTBEAT_MS = 15_000

/** Shortest time between two chunks: a write to the socket costs more than all else that an event costs. */
const CHUNK_INTERVAL_MS = 20

/** Bytes of events after which a chunk does not wait for more. */
const CHUNK_BYTES = 65_536

const GREETING = utf8.encode('retry: 1000\n\n')
const HEARTBEAT = utf8.encode(': still here\n\n')

/**
 * The body of an event stream. It reads its source only when the connection needs more, so that a slow reader costs only
 * its position.
 */
export class SseSubscription implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #source: SseSource
  readonly #time: TimeSource
  #position: number
  #greeted = false
  #ended = false
  /** When the latest events were passed on. */
  #sentAt = Number.NEGATIVE_INFINITY
  /** Set while waiting for the next event. */
  #resume: (() => void) | undefined

  constructor(source: SseSource, time: TimeSource) {
    this.#source = source
    this.#time = time
    this.#position = source.position
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#greeted && !this.#ended) {
      this.#greeted = true
      this.#source.onStart()
      // Sends the headers, and shortens a browser's delay before it reconnects.
      return { done: false, value: GREETING }
    }
    const events = await this.#events()
    if (events) return { done: false, value: events }
    if (!this.#ended) return { done: false, value: HEARTBEAT }
    return { done: true, value: undefined }
  }

  /** The connection was closed. */
  async return(): Promise<IteratorResult<Uint8Array>> {
    this.end()
    return { done: true, value: undefined }
  }

  /** Reports that there is something new to read. */
  wake(): void {
    this.#resume?.()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#source.onEnd()
    this.wake()
  }

  /** Waits for events and returns the bytes of one or more; `undefined` at the end, or when a heartbeat is due. */
  async #events(): Promise<Uint8Array | undefined> {
    const frames: Uint8Array[] = []
    let bytes = 0
    while (!this.#ended) {
      for (
        let frame = this.#readFrame();
        frame;
        frame = bytes < CHUNK_BYTES ? this.#readFrame() : undefined
      ) {
        frames.push(frame)
        bytes += frame.byteLength
      }
      const isEmpty = frames.length === 0
      const restMs = bytes < CHUNK_BYTES ? this.#sentAt + CHUNK_INTERVAL_MS - this.#time.now() : 0
      if (!isEmpty && restMs <= 0) break
      const isNew = await this.#newEvent(isEmpty ? HEARTBEAT_MS : restMs)
      if (isEmpty && !isNew) break
    }
    if (frames.length === 0) return undefined
    this.#sentAt = this.#time.now()
    return frames.length === 1 ? frames[0] : Buffer.concat(frames)
  }

  #readFrame(): Uint8Array | undefined {
    for (;;) {
      const read = this.#source.read(this.#position)
      if (!read) return undefined
      this.#position = read.next
      if (read.frame) return read.frame
    }
  }

  /** Waits for something new; at most this long (`false`). */
  #newEvent(waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (news: boolean): void => {
        cancel()
        this.#resume = undefined
        resolve(news)
      }
      const cancel = this.#time.wakeAfter(waitMs, () => settle(false))
      this.#resume = () => settle(true)
    })
  }
}
