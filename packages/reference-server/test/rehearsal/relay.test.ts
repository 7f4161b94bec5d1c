import { once } from 'node:events'
import { request } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { type Attempt, forward, startRelay } from '../../src/rehearsal/relay.ts'

const EVENT = JSON.stringify({ event: 'response.submitted', response: { id: 1 } })

/** Starts a program, and a relay that leads to it. Returns what a sender gets: a status, or `undefined` for no answer. */
async function throughRelay(program: Server): Promise<number | undefined> {
  const port = Number(new URL(await serve(program)).port)
  const end = new AbortController()
  const relay = await startRelay((attempt) =>
    forward(attempt, {
      port,
      path: '/',
      signal: AbortSignal.any([end.signal, attempt.signal]),
      onReceived() {},
    }),
  )
  onTestFinished(async () => {
    end.abort()
    await relay.close()
  })
  return await new Promise((resolve) => {
    const outgoing = request(relay.url, { method: 'POST', headers: { 'x-service-delivery': 'd' } })
    outgoing.once('error', () => resolve(undefined))
    outgoing.once('response', (response) => resolve(response.resume().statusCode))
    outgoing.end(EVENT)
  })
}

/** A program that writes these bytes for each request. */
const writing = (text: string) =>
  createTcpServer((socket) => {
    socket.once('data', () => socket.write(text))
  })

describe('a relay', () => {
  it.each([
    ['an ordinary answer', 'HTTP/1.1 204 No Content\r\n\r\n', 204],
    [
      'an answer with trailers',
      'HTTP/1.1 200 OK\r\ntrailer: x-sum\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx-sum: 1\r\n\r\n',
      200,
    ],
    ['an answer whose body does not end', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nok', 200],
    ['a status that is none', 'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n', undefined],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
      undefined,
    ],
    ['an answer that is not HTTP', 'hello\r\n\r\n', undefined],
  ])('[DLV-05] repeats the status line of %s', async (_what, text, status) => {
    expect(await throughRelay(writing(text))).toBe(status)
  })

  it('[DLV-05] aborts an attempt when the sender no longer waits for an answer', async () => {
    let attempt: Attempt | undefined
    const relay = await startRelay(async (given) => {
      attempt = given
      await once(given.signal, 'abort')
      return undefined
    })
    onTestFinished(() => relay.close())
    const outgoing = request(relay.url, { method: 'POST' })
    outgoing.once('error', () => undefined).end(EVENT)
    await expect.poll(() => attempt?.signal.aborted).toBe(false)
    outgoing.destroy()
    await expect.poll(() => attempt?.signal.aborted).toBe(true)
  })
})
