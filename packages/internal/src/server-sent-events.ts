import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly type: string
  readonly data: string
  /** Id of the last event that had one, for `Last-Event-ID`. */
  readonly id: string
}

/** Limit in characters; the server never sends a longer event. */
const MAX_EVENT_LENGTH = 32 * 1024 * 1024

/** Parses a `text/event-stream` incrementally, according to the HTML standard. */
export class EventStreamParser {
  /** Id of the last complete event, for `Last-Event-ID`. */
  lastEventId: string
  /** The `retry` value that the server sent, in milliseconds. */
  retryMs: number | undefined
  readonly #decoder = new TextDecoder()
  #events: StreamEvent[] = []
  #isTooLong = false
  readonly #parser = createParser({
    onEvent: (message) => this.#add(message),
    onRetry: (milliseconds) => {
      this.retryMs = milliseconds
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') this.#isTooLong = true
    },
    maxBufferSize: MAX_EVENT_LENGTH,
  })

  constructor(lastEventId = '') {
    this.lastEventId = lastEventId
  }

  /** Returns the events that these bytes complete. @throws Error if an event is too long, after those before it were returned */
  push(bytes: Uint8Array): readonly StreamEvent[] {
    this.#events = []
    if (!this.#isTooLong) this.#parser.feed(this.#decoder.decode(bytes, { stream: true }))
    if (this.#isTooLong && this.#events.length === 0) {
      throw new Error('an event of the delivery stream exceeds 32 MiB')
    }
    return this.#events
  }

  #add({ event = 'message', data, id = this.lastEventId }: EventSourceMessage): void {
    this.lastEventId = id
    this.#events.push({ type: event, data, id })
  }
}
