/** One server-sent event. */
export interface SseEvent {
  readonly id: string
  readonly type: string
  /** One line. */
  readonly data: string
}

export interface SseSource {
  /** Where to begin. */
  readonly position: number
  /** What stands at a position (`null`: nothing for this subscriber), and where to go on. */
  readonly read: (position: number) => { readonly event: SseEvent | null; readonly next: number } | undefined
  readonly heartbeatMs: number
  /** It is being read: from now on `wake` is worth a call. */
  readonly onStart: () => void
  readonly onEnd: () => void
}

/** Events that go out in one piece at most, and characters after which no further one joins them: a connection that is not read holds one piece. */
const BATCH = 64
const BATCH_CHARACTERS = 65_536

const utf8 = new TextEncoder()

/**
 * The body of one event stream. It reads its source only when the connection asks for more, so that a slow reader
 * holds nothing back but its own position.
 */
export class SseSubscription implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #source: SseSource
  #position: number
  #greeted = false
  #ended = false
  /** Set while the connection waits for the next event. */
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
      // Sends the headers on their way, and shortens a browser's wait before it comes back.
      return { done: false, value: utf8.encode('retry: 1000\n\n') }
    }
    while (!this.#ended) {
      const batch = this.#readBatch()
      if (batch !== '') return { done: false, value: utf8.encode(batch) }
      if (!(await this.#newEvent())) return { done: false, value: utf8.encode(': still here\n\n') }
    }
    return { done: true, value: undefined }
  }

  /** The connection is gone. */
  async return(): Promise<IteratorResult<Uint8Array>> {
    this.end()
    return { done: true, value: undefined }
  }

  /** There is something new to read. */
  wake(): void {
    this.#resume?.()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#source.onEnd()
    this.wake()
  }

  #readBatch(): string {
    let batch = ''
    for (let count = 0; count < BATCH && batch.length < BATCH_CHARACTERS; ) {
      const read = this.#source.read(this.#position)
      if (!read) break
      this.#position = read.next
      if (!read.event) continue
      batch += `id: ${read.event.id}\nevent: ${read.event.type}\ndata: ${read.event.data}\n\n`
      count += 1
    }
    return batch
  }

  /** Waits for something new, or for the time of a heartbeat (`false`). */
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
