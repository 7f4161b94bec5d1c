/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly type: string
  readonly data: string
}

/**
 * Reads a `text/event-stream` as its bytes come in, per the HTML standard: `data` lines are joined, `id` is remembered
 * past its event, comments are skipped, an event ends at an empty line.
 */
export class EventStreamParser {
  /** Id of the latest finished event: what `Last-Event-ID` resumes from. */
  lastEventId: string
  /** What the server asked for with `retry`, in milliseconds. */
  retryMs: number | undefined
  #decoder = new TextDecoder()
  #rest = ''
  #type = ''
  #id: string | undefined
  #data: string[] = []

  constructor(lastEventId = '') {
    this.lastEventId = lastEventId
  }

  /** The events that these bytes finish. */
  push(bytes: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = []
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true })
    // A lone CR at the end may be the first half of CRLF: it waits for what follows.
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
    // A named event without data still counts here: `gap` and `reset` say all with their name.
    return hasData || event.type !== 'message' ? event : undefined
  }
}
