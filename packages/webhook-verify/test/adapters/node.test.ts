import { connect } from 'node:net'
import { createReceiver, readRawBody, verifyRequest } from '@formwire/webhook-verify/node'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { refusalOf } from '../support.ts'
import { describeDoor } from './door-suite.ts'
import { type Listening, listen, post } from './listen.ts'

describeDoor('node', async (options) => {
  const server = await listen(createReceiver(options))
  return { send: (sent) => post(server.url, sent), close: server.close }
})

describe('node', () => {
  let server: Listening | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })
  const delivery = createDelivery()
  const options = { secret: 'whsec_test', on: {}, onError: () => {} }

  it('answers 405 to anything but POST', async () => {
    server = await listen(createReceiver(options))
    const response = await fetch(server.url)
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  it('gives the event of a request', async () => {
    expect(await verifyRequest(delivery.toIncomingMessage(), options)).toMatchObject({
      type: 'response.submitted',
    })
  })

  it('reads a body that came in many pieces', async () => {
    server = await listen(createReceiver(options))
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of Buffer.from(delivery.body)) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    const init = { method: 'POST', headers: delivery.headers, body: pieces, duplex: 'half' } as RequestInit
    expect((await fetch(server.url, init)).status).toBe(200)
  })

  it('refuses a stream that somebody read before, instead of waiting for its end for ever', async () => {
    const request = delivery.toIncomingMessage()
    for await (const _chunk of request);
    expect(await refusalOf(() => verifyRequest(request, options))).toMatchObject({
      code: 'body_already_parsed',
      status: 500,
    })
    expect(await refusalOf(() => readRawBody(request))).toMatchObject({ code: 'body_already_parsed' })
  })

  it('refuses a stream of which somebody read the beginning', async () => {
    const request = delivery.toIncomingMessage()
    request.once('data', () => request.pause())
    await new Promise((resolve) => request.once('pause', resolve))
    expect(await refusalOf(() => readRawBody(request))).toMatchObject({ code: 'body_already_parsed' })
  })

  it('refuses a request that was cut off before it was read', async () => {
    const request = delivery.toIncomingMessage()
    request.destroy()
    expect(await refusalOf(() => readRawBody(request))).toMatchObject({ code: 'body_read_failed' })
  })

  it('tells a connection that breaks in the middle of the body', async () => {
    const errors: unknown[] = []
    const failed = new Promise<void>((resolve) => {
      void listen(createReceiver({ ...options, onError: (error) => resolve(void errors.push(error)) })).then(
        (opened) => {
          server = opened
          const socket = connect(Number(new URL(opened.url).port), '127.0.0.1')
          socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"event"', () =>
            socket.destroy(),
          )
        },
      )
    })
    await failed
    expect(errors).toMatchObject([{ code: 'body_read_failed', status: 400 }])
  })

  it('cuts off a sender without end once the limit is passed', async () => {
    server = await listen(createReceiver(options))
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    const piece = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => {}))
    let answer = ''
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text
    })
    const pump = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', pump)
    pump()
    await closed
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer.toLowerCase()).toContain('connection: close')
  })

  it('takes text from a stream on which somebody called setEncoding', async () => {
    const request = delivery.toIncomingMessage()
    request.setEncoding('utf8')
    expect(await verifyRequest(request, options)).toMatchObject({ type: 'response.submitted' })
  })
})
