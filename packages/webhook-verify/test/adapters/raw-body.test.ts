import { EventEmitter } from 'node:events'
import { readRawBody } from '@formwire/webhook-verify/node'
import { describe, expect, it } from 'vitest'
import { joined, readFetchRequest } from '../../src/adapters/raw-body.ts'
import { refusalOf } from '../support.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A request of a framework with its own streams, which emits what the test does. */
class FakeRequest extends EventEmitter {
  readonly headers: Record<string, string>
  readableEnded = false
  destroyed = false
  resumed = 0

  constructor(headers: Record<string, string> = {}) {
    super()
    this.headers = headers
  }

  resume(): void {
    this.resumed += 1
  }
}

function reading(maxBodyBytes: number, headers?: Record<string, string>) {
  const request = new FakeRequest(headers)
  return { request, body: readRawBody(request, { maxBodyBytes }) }
}

describe('readRawBody', () => {
  it('joins bytes and texts up to the limit', async () => {
    const { request, body } = reading(4, { 'content-length': '4' })
    request.emit('data', bytes('a'))
    request.emit('data', 'é')
    request.emit('data', bytes('b'))
    request.emit('end')
    request.emit('close')
    expect([await body, request.resumed]).toEqual([bytes('aéb'), 0])
  })

  it('refuses a body over the limit, and ignores the rest', async () => {
    const { request, body } = reading(4)
    const refusal = refusalOf(() => body)
    for (const chunk of ['abc', 'de', 'f']) request.emit('data', chunk)
    request.emit('end')
    expect(await refusal).toMatchObject({
      code: 'body_too_large',
      message: 'The body is larger than 4 bytes.',
    })
  })

  it('refuses an announced length over the limit, and discards the body', async () => {
    const { request, body } = reading(4, { 'content-length': '5' })
    expect((await refusalOf(() => body)).code).toBe('body_too_large')
    expect([request.resumed, request.listenerCount('data')]).toEqual([1, 0])
  })

  it('fails with the cause when the connection breaks', async () => {
    const cause = new Error('ECONNRESET')
    const { request, body } = reading(4)
    const refusal = refusalOf(() => body)
    request.emit('error', cause)
    request.emit('close')
    expect(await refusal).toMatchObject({ code: 'body_read_failed', cause })
  })

  it('fails when the connection closes before the end', async () => {
    const { request, body } = reading(4)
    const refusal = refusalOf(() => body)
    request.emit('data', 'abc')
    request.emit('close')
    request.emit('end')
    expect((await refusal).code).toBe('body_read_failed')
  })

  it('refuses a request that was read or destroyed', async () => {
    const ended = Object.assign(new FakeRequest(), { readableEnded: true })
    expect((await refusalOf(() => readRawBody(ended))).code).toBe('body_already_parsed')
    const destroyed = Object.assign(new FakeRequest(), { destroyed: true })
    expect((await refusalOf(() => readRawBody(destroyed))).code).toBe('body_read_failed')
  })
})

it('joins chunks, and does not copy a single one', () => {
  const one = bytes('ab')
  expect(joined([one], 2)).toBe(one)
  expect(joined([one, bytes('c'), bytes('de')], 5)).toEqual(bytes('abcde'))
  expect(joined([], 0)).toEqual(new Uint8Array())
})

it('reads a fetch body whose announced length is the limit', async () => {
  const request = (length: string) =>
    new Request('https://receiver.example/', {
      method: 'POST',
      headers: { 'content-length': length },
      body: 'abcd',
    })
  expect((await readFetchRequest(request('4'), 4)).body).toEqual(bytes('abcd'))
  expect((await refusalOf(() => readFetchRequest(request('5'), 4))).code).toBe('body_too_large')
})
