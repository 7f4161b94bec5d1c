import { EventStreamParser, type StreamEvent } from './event-stream.ts'

export type ConnectionState = 'connecting' | 'live' | 'waiting' | 'off'

export interface ConnectionOptions {
  readonly url: string
  /** Asked at every connection: the token may have changed. */
  readonly headers: () => Record<string, string>
  readonly onEvents: (events: StreamEvent[]) => void
  readonly onState: (state: ConnectionState) => void
  /** Called at 401: the connection is closed for good. */
  readonly onRefused: () => void
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000
/** An answer that takes longer to begin comes over a dead connection, or not at all. */
const ANSWER_MS = 10_000
/** The server shows every 15 s that the connection lives: silence for longer than this is a dead one. */
const SILENCE_MS = 40_000

/**
 * A stream that stays open: EventSource cannot send an Authorization header, so this reads the stream with `fetch` and
 * does what EventSource does, resuming from the last event it saw. `reconnect()` drops a connection that may be dead
 * without knowing it (after sleep) and resumes at once.
 */
export class Connection {
  readonly #options: ConnectionOptions
  #lastEventId = ''
  #waitMs = FIRST_WAIT_MS
  #abort: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  open(): void {
    this.#waitMs = FIRST_WAIT_MS
    this.reconnect()
  }

  /** Ends the connection; `open` resumes it. */
  close(): void {
    this.#stop()
    this.#options.onState('off')
  }

  reconnect(): void {
    this.#stop()
    const abort = new AbortController()
    this.#abort = abort
    this.#options.onState('connecting')
    void this.#read(abort)
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#abort?.abort()
    this.#abort = undefined
  }

  async #read(abort: AbortController): Promise<void> {
    try {
      const headers: Record<string, string> = { ...this.#options.headers(), accept: 'text/event-stream' }
      if (this.#lastEventId !== '') headers['last-event-id'] = this.#lastEventId
      const silence = setTimeout(() => abort.abort(), ANSWER_MS)
      const response = await fetch(this.#options.url, {
        headers,
        signal: abort.signal,
        cache: 'no-store',
        credentials: 'omit',
      }).finally(() => clearTimeout(silence))
      if (response.status === 401) {
        this.close()
        this.#options.onRefused()
        return
      }
      if (!response.ok || !response.body) throw new Error(`stream answered ${response.status}`)
      this.#options.onState('live')
      this.#waitMs = FIRST_WAIT_MS
      await this.#drain(response.body.getReader(), abort)
    } catch {
      // Unreachable, cut off or aborted: all the same here, the next connection resumes.
    }
    if (this.#abort !== abort) return
    this.#options.onState('waiting')
    this.#timer = setTimeout(() => this.reconnect(), this.#waitMs)
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS)
  }

  async #drain(reader: ReadableStreamDefaultReader<Uint8Array>, abort: AbortController): Promise<void> {
    const parser = new EventStreamParser(this.#lastEventId)
    for (;;) {
      const silence = setTimeout(() => abort.abort(), SILENCE_MS)
      const { done, value } = await reader.read().finally(() => clearTimeout(silence))
      if (done || this.#abort !== abort) return
      const events = parser.push(value)
      this.#lastEventId = parser.lastEventId
      if (parser.retryMs !== undefined) this.#waitMs = parser.retryMs
      if (events.length > 0) this.#options.onEvents(events)
    }
  }
}
