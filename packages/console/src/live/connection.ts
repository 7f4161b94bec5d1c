import { backoffMs } from '@formwire/internal/backoff'
import { EventStreamParser, type StreamEvent } from '@formwire/internal/server-sent-events'

export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'off'

export interface ConnectionOptions {
  readonly url: string
  /** Called for every connection, because the token can change. */
  readonly headers: () => Record<string, string>
  readonly onEvents: (events: readonly StreamEvent[]) => void
  readonly onState: (state: ConnectionState) => void
  /** Called on a 401. The connection is then closed. */
  readonly onRefused: () => void
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000
/** Timeout for the response headers, in milliseconds. */
const RESPONSE_MS = 10_000
/** The server sends a comment every 15 s. A connection that is silent for longer than this is dead. */
const SILENCE_MS = 40_000

/**
 * An event stream that reconnects. EventSource cannot send an Authorization header, so this reads the stream with `fetch`
 * and resumes after the last event, as EventSource does. `reconnect()` replaces a connection that may be dead, for example
 * after the machine slept.
 */
export class Connection {
  readonly #options: ConnectionOptions
  #lastEventId = ''
  /** Connections that failed since the last one that opened. */
  #failures = 0
  #firstWaitMs = FIRST_WAIT_MS
  #abort: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** @param after Id of the event to resume after, if it is known from elsewhere. @default the last one received */
  open(after = this.#lastEventId): void {
    this.#lastEventId = after
    this.#failures = 0
    this.#firstWaitMs = FIRST_WAIT_MS
    this.reconnect()
  }

  /** Closes the connection. `open` resumes the stream. */
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
      const silence = setTimeout(() => abort.abort(), RESPONSE_MS)
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
      if (!response.ok || !response.body) throw new Error(`stream responded with ${response.status}`)
      this.#options.onState('live')
      this.#failures = 0
      this.#firstWaitMs = FIRST_WAIT_MS
      await this.#drain(response.body.getReader(), abort)
    } catch {
      // Unreachable, closed or aborted: in any case, the next connection resumes.
    }
    if (this.#abort !== abort) return
    this.#options.onState('reconnecting')
    this.#failures += 1
    const waitMs = backoffMs(this.#failures, this.#firstWaitMs, LONGEST_WAIT_MS)
    this.#timer = setTimeout(() => this.reconnect(), waitMs)
  }

  async #drain(reader: ReadableStreamDefaultReader<Uint8Array>, abort: AbortController): Promise<void> {
    const parser = new EventStreamParser(this.#lastEventId)
    for (;;) {
      const silence = setTimeout(() => abort.abort(), SILENCE_MS)
      const { done, value } = await reader.read().finally(() => clearTimeout(silence))
      if (done || this.#abort !== abort) return
      const events = parser.push(value)
      this.#lastEventId = parser.lastEventId
      if (parser.retryMs !== undefined) this.#firstWaitMs = parser.retryMs
      if (events.length > 0) this.#options.onEvents(events)
    }
  }
}
