import type { TimeSource } from '../real-timers.ts'

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

/** Returns the bytes of an event, which all subscribers share. @param data A single line. */
export const encodeEvent = (id: string, type: string, data: string): Uint8Array =>
  utf8.encode(`id: ${id}\nevent: ${type}\ndata: ${data}\n\n`)

/** Milliseconds without an event after which a heartbeat comment is sent. */
const HEARTBEAT_MS = 15_000

/** Pause after a chunk, in milliseconds: each write to the socket has a cost besides that of its events. */
const PAUSE_MS = 100

/** Bytes of events after which a chunk is full. No pause follows it. */
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
  #pausesUntil = Number.NEGATIVE_INFINITY
  /** Set while waiting: for the next event, and for the end. */
  #wake: (() => void) | undefined
  #stop: (() => void) | undefined

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
    this.#wake?.()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#source.onEnd()
    this.#stop?.()
  }

  /** Waits for events and returns the bytes of one or more; `undefined` at the end, or when a heartbeat is due. */
  async #events(): Promise<Uint8Array | undefined> {
    const heartbeatAt = this.#time.now() + HEARTBEAT_MS
    const pauseMs = this.#pausesUntil - this.#time.now()
    if (pauseMs > 0 && !this.#ended) await this.#wait(pauseMs, { forEvents: false })
    for (;;) {
      const chunk = this.#readChunk()
      const waitMs = heartbeatAt - this.#time.now()
      if (chunk || this.#ended || waitMs <= 0) return chunk
      // Whatever wakes it may be for other subscribers.
      await this.#wait(waitMs, { forEvents: true })
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
    if (frames.length === 0) return undefined
    if (bytes < CHUNK_BYTES) this.#pausesUntil = this.#time.now() + PAUSE_MS
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

  /** Waits until the time is over or the subscription ends; with `forEvents`, also until `wake` is called. */
  #wait(waitMs: number, { forEvents }: { readonly forEvents: boolean }): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        cancel()
        this.#wake = this.#stop = undefined
        resolve()
      }
      const cancel = this.#time.wakeAfter(waitMs, settle)
      this.#stop = settle
      if (forEvents) this.#wake = settle
    })
  }
}
