import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventStreamParser, type StreamEvent } from '../src/server-sent-events.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('the event stream parser', () => {
  it('parses events, ids, comments and retry', () => {
    const parser = new EventStreamParser()
    const events = parser.push(
      bytes(
        'retry: 1000\n\n: still here\n\nid: e-1\nevent: delivery\ndata: {"id":"a"}\n\nid: e-2\nevent: gap\ndata: {}\n\n',
      ),
    )
    expect(events).toEqual([
      { type: 'delivery', data: '{"id":"a"}', id: 'e-1' },
      { type: 'gap', data: '{}', id: 'e-2' },
    ])
    expect(parser.lastEventId).toBe('e-2')
    expect(parser.retryMs).toBe(1000)
  })

  it('sets the last event id only when the event is complete, so that an interrupted stream resumes before it', () => {
    const parser = new EventStreamParser('e-1')
    parser.push(bytes('id: e-2\nevent: delivery\ndata: {"id"'))
    expect(parser.lastEventId).toBe('e-1')
    expect(parser.push(bytes(':"b"}\n\n'))).toEqual([{ type: 'delivery', data: '{"id":"b"}', id: 'e-2' }])
    expect(parser.lastEventId).toBe('e-2')
  })

  it('joins data lines, and accepts LF, CRLF and CR as line ends', () => {
    expect(new EventStreamParser().push(bytes('data: a\r\ndata: b\r\rdata:c\n\n'))).toEqual([
      { type: 'message', data: 'a\nb', id: '' },
      { type: 'message', data: 'c', id: '' },
    ])
  })

  it('keeps the id beyond its event', () => {
    const events = new EventStreamParser('e-1').push(bytes('data: a\n\nid: e-2\ndata: b\n\ndata: c\n\n'))
    expect(events.map(({ id }) => id)).toEqual(['e-1', 'e-2', 'e-2'])
  })

  it('refuses an event that never ends', () => {
    const parser = new EventStreamParser()
    const half = bytes(`data: ${'x'.repeat(17 * 1024 * 1024)}\n`)
    parser.push(half)
    expect(() => parser.push(half)).toThrow(new Error('an event of the delivery stream exceeds 32 MiB'))
  })

  it('returns the events before one that is too long', () => {
    const parser = new EventStreamParser()
    const chunk = bytes(`data: a\n\ndata: ${'x'.repeat(33 * 1024 * 1024)}`)
    expect(parser.push(chunk)).toEqual([{ type: 'message', data: 'a', id: '' }])
    expect(() => parser.push(bytes('\n\n'))).toThrow(
      new Error('an event of the delivery stream exceeds 32 MiB'),
    )
  })

  it('parses the same events however the bytes are split, also inside a character or a CRLF', () => {
    const stream = bytes(
      'id: 1\r\nevent: delivery\r\ndata: {"title":"שלום 😊"}\r\n\r\nid: 2\r\nevent: reset\r\ndata: {}\r\n\r\n',
    )
    const whole = new EventStreamParser().push(stream)
    expect(whole).toHaveLength(2)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 12 }), (cuts) => {
        const parser = new EventStreamParser()
        const events: StreamEvent[] = []
        let from = 0
        for (const cut of [...cuts.sort((a, b) => a - b), stream.length]) {
          events.push(...parser.push(stream.subarray(from, cut)))
          from = cut
        }
        expect(events).toEqual(whole)
      }),
      { numRuns: Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 100) },
    )
  })
})
