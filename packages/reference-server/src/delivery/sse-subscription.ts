import { clearTimeout, setTimeout } from '../real-timers.ts'

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
  readonly heartbeatMs: number
  /** Called when the subscription is read; from now on call `wake`. */
  readonly onStart: () => void
  readonly onEnd: () => void
}

const utf8 = new TextEncoder()

/** Returns the bytes of an event, which all subscribers share. */
export const encodeEvent = ({ id, type, data }: SseEvent): Uint8Array =>
  utf8.encode(`id: ${id}\nevent: ${type}\ndata: ${data}\n\n`)

const GREETING = utf8.encode('retry: 1000\n\n')
const HEARTBEAT = utf8.encode(': still here\n\n')

/**
 * The body of an event stream. It reads its source only when the connection needs more, so that a slow reader costs only
 * its position.
 */
export class SseSubscription implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #source: SseSource
  #position: number
  #greeted = false
  #ended = false
  /** Set while waiting for the next event. */
  #resume: (() => void) | undefined

  constructor(source: SseSource) {
    this.#source = source
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
    while (!this.#ended) {
      const frame = this.#readFrame()
      if (frame) return { done: false, value: frame }
      if (!(await this.#newEvent())) return { done: false, value: HEARTBEAT }
    }
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

  #readFrame(): Uint8Array | undefined {
    for (;;) {
      const read = this.#source.read(this.#position)
      if (!read) return undefined
      this.#position = read.next
      if (read.frame) return read.frame
    }
  }

  /** Waits for something new, or for the next heartbeat (`false`). */
  #newEvent(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (news: boolean): void => {
        clearTimeout(timer)
        this.#resume = undefined
        resolve(news)
      }
      const timer = setTimeout(() => settle(false), this.#source.heartbeatMs).unref()
      this.#resume = () => settle(true)
    })
  }
}
