import { describe, expect, it } from 'vitest'
import type { Probe } from '../../../src/testing/receiver-check/probe.ts'
import { httpUrl, type ReceiverTarget, senderTo } from '../../../src/testing/receiver-check/target.ts'
import { refusalOf } from '../../support.ts'

const PROBE: Probe = { headers: [['X-One', '1']], body: 'né' }
const { signal } = new AbortController()

/** A body that never ends. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (stream) => stream.enqueue(Buffer.alloc(512, 'y')) })
}

/** Splits a body into pieces of a size. */
const pieces = (size: number): TransformStream<Uint8Array, Uint8Array> =>
  new TransformStream({
    transform(chunk, stream) {
      for (let at = 0; at < chunk.length; at += size) stream.enqueue(chunk.subarray(at, at + size))
    },
  })

/** Sends a probe to a fetch handler, and returns what arrived. */
async function fetched(probe: Probe, target: ReceiverTarget = {}) {
  const seen: unknown[] = []
  const sender = senderTo({
    ...target,
    async fetch(request) {
      const chunks: string[] = []
      for await (const chunk of request.body ?? []) chunks.push(Buffer.from(chunk).toString())
      seen.push(request.method, request.url, request.headers.get('x-one'), chunks)
      return new Response(null, { status: 202 })
    },
  })
  return [(await sender.send(probe, signal)).status, ...seen]
}

describe('the target of checks', () => {
  it('is a fetch handler', async () => {
    const url = 'http://receiver.example/webhooks'
    expect(await fetched(PROBE)).toEqual([202, 'POST', url, '1', ['né']])
    expect(await fetched({ ...PROBE, method: 'PUT' })).toEqual([202, 'PUT', url, '1', ['né']])
    expect(await fetched({ ...PROBE, body: 'abc', chunked: true })).toEqual([
      202,
      'POST',
      url,
      '1',
      ['ab', 'c'],
    ])
    expect((await fetched(PROBE, { url: 'https://other.example/hook' }))[2]).toBe(
      'https://other.example/hook',
    )
  })

  it('is a function of headers and raw body', async () => {
    const seen: unknown[] = []
    const sender = senderTo({
      handle: async ({ headers, body }) => {
        seen.push(headers, body)
        return { status: 204, body: 'stored' }
      },
    })
    const { status, start } = await sender.send(PROBE, signal)
    expect([status, await start?.()]).toEqual([204, 'stored'])
    expect(seen).toEqual([{ 'X-One': '1' }, new TextEncoder().encode('né')])
    expect(sender.impossible).toEqual({
      chunked: 'The receiver gets the whole body.',
      not_post: 'The receiver gets no method.',
    })
  })

  it('ignores what a function returns in place of a text', async () => {
    const sender = senderTo({ handle: async () => ({ status: 401, body: { error: 'no' } }) })
    expect(await (await sender.send(PROBE, signal)).start?.()).toBe('')
  })

  it.each<[title: string, body: () => BodyInit | null, expected: string]>([
    ['short', () => 'wrong secret', 'wrong secret'],
    ['of two pieces', () => new Blob(['wrong secret']).stream().pipeThrough(pieces(6)), 'wrong secret'],
    ['none', () => null, ''],
    ['endless', endless, 'y'.repeat(1_024)],
    ['broken', () => new ReadableStream({ pull: (stream) => stream.error(new Error('broken')) }), ''],
  ])('returns the start of the body that a fetch handler sends: %s', async (_title, body, expected) => {
    const sender = senderTo({ fetch: () => new Response(body(), { status: 401 }) })
    const { start } = await sender.send(PROBE, signal)
    expect(await start?.()).toBe(expected)
  })

  it('cannot send what its kind does not have', () => {
    expect(Object.keys(senderTo({ fetch: () => new Response() }).impossible)).toEqual(['header_case'])
    expect(senderTo({ url: 'http://127.0.0.1:9/' }).impossible).toEqual({})
  })

  it.each<[ReceiverTarget, string]>([
    [
      { fetch: () => new Response(), handle: () => ({ status: 200 }) },
      'Pass either fetch or handle, not both.',
    ],
    [{ fetch: {} as never }, 'fetch must be a function, got an object.'],
    [{ fetch: () => new Response(), url: 'x' }, 'url must be an http or https URL, got "x".'],
    [{}, 'Pass the url of the receiver, or fetch or handle.'],
  ])('is refused: %j', async (target, message) => {
    expect(await refusalOf(() => senderTo(target))).toMatchObject({ code: 'invalid_option', message })
  })
})

it.each(['http://127.0.0.1:9/a?b', 'https://x.example/'])('accepts the URL %s', (url) => {
  expect([httpUrl('url', url).href, httpUrl('url', new URL(url)).href]).toEqual([url, url])
})

it.each([
  ['/hook', 'url must be an http or https URL, got "/hook".'],
  ['xhttp://a/', 'url must be an http or https URL, got "xhttp://a/".'],
  ['http://user@a/', 'url must not contain a username or password: the service refuses such endpoints.'],
  ['https://@a/', 'url must not contain a username or password: the service refuses such endpoints.'],
  [
    'h\nttp:\t//user:pw@a/',
    'url must not contain a username or password: the service refuses such endpoints.',
  ],
  ['http://:secret@a/', 'url must not contain a username or password: the service refuses such endpoints.'],
])('refuses the URL %s', async (url, message) => {
  expect((await refusalOf(() => httpUrl('url', url))).message).toBe(message)
})
