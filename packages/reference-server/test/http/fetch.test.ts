import { describe, expect, it } from 'vitest'
import type { IncomingMessage, OutgoingMessage } from '../../src/http/message.ts'
import { handleFetch } from '../../src/http/transports/fetch.ts'
import { deferred } from '../support/deferred.ts'

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

describe('a request in process', () => {
  it('[ERR-01] has a body of at most the given bytes', async () => {
    const post = (body: BodyInit | null) =>
      received(new Request('http://formwire.test/', { method: 'POST', body, duplex: 'half' } as RequestInit))
    expect(Buffer.from(await (await post('abc')).readBody(3)).toString()).toBe('abc')
    expect((await (await post(null)).readBody(3)).byteLength).toBe(0)
    const { promise: whenCancelled, resolve: cancelled } = deferred()
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
})

describe('a response in process', () => {
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
})
