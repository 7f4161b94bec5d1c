import { EventEmitter } from 'node:events'
import { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import { createReceiver, readRawBody, verifyRequest } from '@formwire/webhook-verify/node'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { describe, expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { serve } from '../../../../test/support/serve.ts'
import { codeOf, refusalOf } from '../support.ts'
import { exchange, post } from './listen.ts'

describe('node', () => {
  const delivery = createDelivery()
  const options = { secret: 'whsec_test', on: {}, onError: () => {} }

  it('keeps the connection of a delivery open, and closes that of one which it did not read', async () => {
    const url = await serve(createReceiver(options))
    const open = await fetch(url, { method: 'POST', headers: delivery.headers, body: delivery.body })
    expect([open.status, open.headers.get('connection')]).toEqual([200, 'keep-alive'])
    const unread = 'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf'
    const refusal = (await exchange(url, unread)).toLowerCase().split('\r\n')
    expect(refusal[0]).toBe('http/1.1 405 method not allowed')
    expect(refusal).toEqual(expect.arrayContaining(['allow: post', 'connection: close']))
  })

  it('sends nothing if there was a response already', async () => {
    const settled: unknown[] = []
    const url = await serve((request, response) => {
      response.end('early')
      void createReceiver(options)(request, response).then((value) => settled.push(value))
    })
    expect(await post(url, delivery)).toEqual({ status: 200, body: 'early' })
    await vi.waitFor(() => expect(settled).toEqual([undefined]), WAIT_MS)
  })

  it('refuses a stream that was already read instead of waiting for its end', async () => {
    const request = delivery.toIncomingMessage()
    for await (const _chunk of request);
    expect(await refusalOf(() => verifyRequest(request, options))).toMatchObject({
      code: 'body_already_parsed',
      status: 500,
    })
    expect(await codeOf(() => readRawBody(request))).toBe('body_already_parsed')
  })

  it('refuses a paused stream that was partly read', async () => {
    const request = delivery.toIncomingMessage()
    request.once('data', () => request.pause())
    await new Promise((resolve) => request.once('pause', resolve))
    expect(await codeOf(() => readRawBody(request))).toBe('body_already_parsed')
  })

  it('refuses a stream whose first bytes were read before the rest arrives', async () => {
    const request = new IncomingMessage(new Socket())
    request.push('{"event"')
    expect(request.read(3)?.toString()).toBe('{"e')
    expect(await codeOf(() => readRawBody(request))).toBe('body_already_parsed')
  })

  it('prefers the raw body that a parser kept to the parsed body, up to the limit', async () => {
    const kept = () =>
      Object.assign(delivery.toIncomingMessage(), { rawBody: delivery.body, body: '{"parsed":true}' })
    const maxBodyBytes = delivery.body.length
    expect(await verifyRequest(kept(), { ...options, maxBodyBytes })).toMatchObject({
      type: 'response.submitted',
    })
    const tooSmall = { ...options, maxBodyBytes: maxBodyBytes - 1 }
    expect(await codeOf(() => verifyRequest(kept(), tooSmall))).toBe('body_too_large')
  })

  it('reports a connection that closes in the middle of the body', async () => {
    const errors: unknown[] = []
    const url = await serve(createReceiver({ ...options, onError: (error) => errors.push(error) }))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"event"', () => socket.destroy())
    await vi.waitFor(() => expect(errors).toHaveLength(1), WAIT_MS)
    expect(errors).toMatchObject([{ code: 'body_read_failed', status: 400 }])
  })

  it('closes the connection of an endless sender at the limit', async () => {
    const url = await serve(createReceiver({ ...options, maxBodyBytes: 1_048_576 }))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    const piece = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => {}))
    let received = ''
    socket.setEncoding('utf8').on('data', (text) => {
      received += text
    })
    const pump = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', pump)
    pump()
    await closed
    expect(received).toMatch(/^HTTP\/1\.1 413 /)
    expect(received.toLowerCase()).toContain('connection: close')
  })

  it('reads a stream after setEncoding was called', async () => {
    const request = delivery.toIncomingMessage()
    request.setEncoding('utf8')
    expect(await verifyRequest(request, options)).toMatchObject({ type: 'response.submitted' })
  })
})

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

  it('refuses an announced length over the limit, and discards the body', async () => {
    const { request, body } = reading(4, { 'content-length': '5' })
    expect(await codeOf(() => body)).toBe('body_too_large')
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

  it('refuses a request that was read or destroyed', async () => {
    const ended = Object.assign(new FakeRequest(), { readableEnded: true })
    expect(await codeOf(() => readRawBody(ended))).toBe('body_already_parsed')
    const destroyed = Object.assign(new FakeRequest(), { destroyed: true })
    expect(await codeOf(() => readRawBody(destroyed))).toBe('body_read_failed')
  })
})
