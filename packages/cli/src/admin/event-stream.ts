/** One event of a text/event-stream. */
export interface ServerSentEvent {
  event: string
  data: string
  /** Id to resume after, as last sent. */
  id: string | undefined
}

/** A line longer than this is not one of ours: the stream is given up. */
const MAX_LINE_LENGTH = 32 * 1024 * 1024

/** Reads a text/event-stream as the HTML standard defines it: comments are dropped, data lines joined. */
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
    // A CR at the very end may be half of a CRLF: it waits for the next chunk.
    const whole = rest.endsWith('\r') ? rest.slice(0, -1) : rest
    const parts = whole.split(/\r\n|\n|\r/)
    const last = parts.pop() ?? ''
    yield* parts
    rest = last + rest.slice(whole.length)
    if (rest.length > MAX_LINE_LENGTH) throw new Error('an event of the delivery stream is too long')
  }
}
