/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly type: string
  readonly data: string
}

/**
 * Parses a `text/event-stream` incrementally, according to the HTML standard: `data` lines are joined, `id` is kept beyond
 * its event, comments are skipped, and an empty line ends an event.
 */
export class EventStreamParser {
  /** Id of the last complete event, for `Last-Event-ID`. */
  lastEventId: string
  /** The `retry` value that the server sent, in milliseconds. */
  retryMs: number | undefined
  #decoder = new TextDecoder()
  #rest = ''
  #type = ''
  #id: string | undefined
  #data: string[] = []

  constructor(lastEventId = '') {
    this.lastEventId = lastEventId
  }

  /** Returns the events that these bytes complete. */
  push(bytes: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = []
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true })
    // A CR at the end may be the first half of a CRLF, so it is kept for the next chunk.
    const usable = text.endsWith('\r') ? text.length - 1 : text.length
    const lines = text.slice(0, usable).split(/\r\n|\n|\r/)
    this.#rest = (lines.pop() ?? '') + text.slice(usable)
    for (const line of lines) {
      if (line !== '') this.#field(line)
      else {
        const event = this.#finish()
        if (event) events.push(event)
      }
    }
    return events
  }

  #field(line: string): void {
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') this.#data.push(value)
    else if (name === 'event') this.#type = value
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value)
  }

  #finish(): StreamEvent | undefined {
    if (this.#id !== undefined) this.lastEventId = this.#id
    const event = { type: this.#type || 'message', data: this.#data.join('\n') }
    const hasData = this.#data.length > 0
    this.#type = ''
    this.#data = []
    // Unlike in the standard, a named event needs no data: `gap` and `reset` have none.
    return hasData || event.type !== 'message' ? event : undefined
  }
}
