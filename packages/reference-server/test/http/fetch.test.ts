import { describe, expect, it } from 'vitest'
import type { IncomingMessage, OutgoingMessage } from '../../src/http/message.ts'
import { handleFetch } from '../../src/http/transports/fetch.ts'

const respond = (response: Partial<OutgoingMessage>, request = new Request('http://formwire.test/')) =>
  handleFetch(() => ({ status: 200, headers: {}, body: null, ...response }), request)

/** What the handler receives of a request. */
async function received(request: Request, options = {}): Promise<IncomingMessage> {
  let message: IncomingMessage | undefined
  await handleFetch(
    (one) => {
      message = one
      return { status: 204, headers: {}, body: null }
    },
    request,
    options,
  )
  return message as IncomingMessage
}

const stream = (...pieces: string[]) =>
  (async function* () {
    for (const piece of pieces) yield Buffer.from(piece)
  })()

describe('a request in process', () => {
  it('is read like one over a socket', async () => {
    const { signal } = new AbortController()
    const request = new Request('http://formwire.test:8080/a%20b?c=%31#d', {
      method: 'patch',
      headers: { 'X-One': '1' },
      signal,
    })
    const message = await received(request)
    expect(message).toMatchObject({
      method: 'PATCH',
      path: '/a%20b',
      query: 'c=%31',
      origin: 'http://formwire.test:8080',
      address: '127.0.0.1',
      signal: request.signal,
    })
    expect([message.headers.get('x-one'), message.headers.get('x-two')]).toEqual(['1', undefined])
    expect((await received(request, { address: '10.0.0.1' })).address).toBe('10.0.0.1')
  })

  it('[ERR-01] has a body of at most the given bytes', async () => {
    const post = (body: BodyInit | null) =>
      received(new Request('http://formwire.test/', { method: 'POST', body, duplex: 'half' } as RequestInit))
    expect(Buffer.from(await (await post('abc')).readBody(3)).toString()).toBe('abc')
    expect((await (await post(null)).readBody(3)).byteLength).toBe(0)
    let cancelled = (): void => {}
    const whenCancelled = new Promise<void>((resolve) => {
      cancelled = resolve
    })
    const endless = new ReadableStream({
      pull: (one) => one.enqueue(new Uint8Array(2)),
      cancel: () => cancelled(),
    })
    await expect((await post(endless)).readBody(3)).rejects.toThrow('The body is larger than 3 bytes.')
    await whenCancelled
  })

  it('[ERR-01] is refused although its body cannot be cancelled', async () => {
    const body = new ReadableStream({
      pull: (one) => one.enqueue(new Uint8Array(4)),
      cancel: () => Promise.reject(new Error('stuck')),
    })
    const request = new Request('http://formwire.test/', {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit)
    await expect((await received(request)).readBody(3)).rejects.toThrow('The body is larger than 3 bytes.')
  })

  it('reserves the bytes of its body', async () => {
    const reserved: number[] = []
    const message = await received(new Request('http://formwire.test/', { method: 'POST', body: 'abc' }))
    await message.readBody(3, (bytes) => reserved.push(bytes))
    expect(reserved).toEqual([3])
  })
})

describe('a response in process', () => {
  it.each<[string, OutgoingMessage['body'], string]>([
    ['text', 'é', 'é'],
    ['bytes', Buffer.from('é'), 'é'],
    ['a stream', stream('a', 'b'), 'ab'],
    ['nothing', null, ''],
  ])('has %s as its body', async (_, body, text) => {
    const response = await respond({ status: 201, headers: { 'x-one': '1' }, body })
    expect([response.status, response.headers.get('x-one'), await response.text()]).toEqual([201, '1', text])
  })

  it('ends the stream of its body when it is cancelled', async () => {
    let ended = false
    const body = (async function* () {
      try {
        for (;;) yield Buffer.from('a')
      } finally {
        ended = true
      }
    })()
    const reader = (await respond({ body })).body?.getReader()
    expect((await reader?.read())?.value).toEqual(Buffer.from('a'))
    await reader?.cancel()
    expect(ended).toBe(true)
    const plain = {
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: Buffer.from('a') }) }),
    }
    expect(await (await respond({ body: plain as AsyncIterable<Uint8Array> })).body?.cancel()).toBeUndefined()
  })

  const read = async (response: Response): Promise<[string, unknown]> => {
    let text = ''
    try {
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
        text += Buffer.from(piece).toString()
      return [text, undefined]
    } catch (error) {
      return [text, error]
    }
  }
  const connectionLost = { message: 'terminated', cause: { code: 'ECONNRESET' } }

  it('fails as fetch does when the connection is reset', async () => {
    await expect(respond({ reset: true })).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { code: 'ECONNRESET' },
    })
    await expect(respond({ reset: true })).rejects.toThrow(TypeError)
  })

  it.each<[string, OutgoingMessage['body'], string]>([
    ['half of a text', 'abcde', 'ab'],
    ['half of bytes', Buffer.from('abcd'), 'ab'],
    ['nothing of one byte', 'a', ''],
    ['all of a stream', stream('a', 'b'), 'ab'],
    ['nothing without a body', null, ''],
  ])('fails in the middle after %s', async (_, body, text) => {
    const [received, error] = await read(await respond({ body, reset: 'middle' }))
    expect(received).toBe(text)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject(connectionLost)
  })

  it('does not fail when the connection is reset after the whole response', async () => {
    expect(await read(await respond({ body: 'abc', reset: 'after' }))).toEqual(['abc', undefined])
  })
})
