/** One event of a text/event-stream. */
export interface ServerSentEvent {
  event: string
  data: string
  /** The last id received; a reconnect resumes after it. */
  id: string | undefined
}

/** Limit in characters; the server never sends a longer line. */
const MAX_LINE_LENGTH = 32 * 1024 * 1024

/** Parses a text/event-stream as the HTML standard defines it: drops comments and joins data lines. */
export async function* serverSentEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let event = ''
  let data: string[] = []
  let id: string | undefined
  for await (const line of lines(stream)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n'), id }
      event = ''
      data = []
      continue
    }
    const colon = line.indexOf(':')
    if (colon === 0) continue
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\u0000')) id = value
  }
}

async function* lines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true })
    // A CR at the end may be half of a CRLF: keep it for the next chunk.
    const whole = rest.endsWith('\r') ? rest.slice(0, -1) : rest
    const parts = whole.split(/\r\n|\n|\r/)
    const last = parts.pop() ?? ''
    yield* parts
    rest = last + rest.slice(whole.length)
    if (rest.length > MAX_LINE_LENGTH) throw new Error('an event of the delivery stream exceeds 32 MiB')
  }
}
