import { createServer, type Socket } from 'node:net'
import { ReceiverUnreachableError } from '@formwire/webhook-verify/testing'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../../test/support/free-port.ts'
import { serve as serveUntilEnd } from '../../../../../test/support/serve.ts'
import type { Probe } from '../../../src/testing/receiver-check/probe.ts'
import { getText, sendHttp } from '../../../src/testing/receiver-check/send-http.ts'

const { signal } = new AbortController()
const PROBE = { headers: [['X-One', '1']], body: '12345678' } as const
const OK = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'

/** Serves bytes. */
const serve = async (onConnection: (socket: Socket) => void): Promise<URL> =>
  new URL(`${await serveUntilEnd(createServer(onConnection))}/hook?a=1`)

/** Whether the whole request has arrived. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0 || text.includes('chunked')) return text.endsWith('\r\n0\r\n\r\n')
  const [, length = '0'] = /Content-Length: (\d+)/.exec(text) ?? []
  return text.length === end + 4 + Number(length)
}

/** Serves one response to each request, and notes the requests. */
async function respond(response: string): Promise<{ url: URL; requests: string[] }> {
  const requests: string[] = []
  const url = await serve((socket) => {
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes
      if (!isWhole(text)) return
      requests.push(text)
      socket.end(response)
    })
  })
  return { url, requests }
}

describe('sendHttp', () => {
  it.each<[string, Partial<Probe>, method: string, framing: string, sent: string]>([
    ['a body with its length', {}, 'POST', 'Content-Length: 8', '12345678'],
    [
      'a body in three chunks',
      { chunked: true },
      'POST',
      'Transfer-Encoding: chunked',
      '3\r\n123\r\n3\r\n456\r\n2\r\n78\r\n0\r\n\r\n',
    ],
    ['an empty body, and another method', { body: '', method: 'PUT' }, 'PUT', 'Content-Length: 0', ''],
  ])('sends %s', async (_what, change, method, framing, sent) => {
    const { url, requests } = await respond(OK)
    expect((await sendHttp(url, { ...PROBE, ...change }, signal)).status).toBe(204)
    expect(requests).toEqual([
      `${method} /hook?a=1 HTTP/1.1\r\nX-One: 1\r\n${framing}\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n${sent}`,
    ])
  })

  it('does not follow redirects', async () => {
    const { url } = await respond('HTTP/1.1 302 Found\r\nLocation: /other\r\nConnection: close\r\n\r\n')
    expect((await sendHttp(url, PROBE, signal)).status).toBe(302)
  })

  it('closes the connection of a response that is far too long', async () => {
    let closed: Promise<void> | undefined
    let sentAll = false
    const url = await serve((socket) => {
      closed = new Promise((resolve) => socket.on('close', () => resolve()))
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')
        // More than the buffers of a connection hold.
        socket.end(Buffer.alloc(33_554_432))
        socket.on('finish', () => {
          sentAll = true
        })
      })
    })
    expect((await sendHttp(url, PROBE, signal)).status).toBe(200)
    await closed
    expect(sentAll).toBe(false)
  })

  it.each([
    ['short', 'wrong secret', 12],
    ['cut off', 'x'.repeat(100_000), 1_024],
  ])('returns the start of a body: %s', async (_title, body, bytes) => {
    const { url } = await respond(`HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n${body}`)
    const start = (await (await sendHttp(url, PROBE, signal)).start?.()) ?? ''
    expect(start.length).toBeGreaterThanOrEqual(bytes)
    expect(body.startsWith(start)).toBe(true)
  })

  it('fails with the error of a connection that was established', async () => {
    const url = await serve((socket) => socket.once('data', () => socket.resetAndDestroy()))
    await expect(sendHttp(url, PROBE, signal)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it.each(['http', 'https'])('fails with %s when nothing listens', async (scheme) => {
    const url = new URL(`${scheme}://127.0.0.1:${await freePort()}/hook?a=1`)
    await expect(sendHttp(url, PROBE, signal)).rejects.toMatchObject({
      name: 'ReceiverUnreachableError',
      message: `Could not connect to ${scheme}://${url.host}: connection refused.`,
    })
  })

  it('counts a connection without TLS as none', async () => {
    const url = await serve((socket) => socket.once('data', () => socket.end(OK)))
    url.protocol = 'https:'
    await expect(sendHttp(url, PROBE, signal)).rejects.toBeInstanceOf(ReceiverUnreachableError)
  })

  it('takes an abort before the connection for its timeout', async () => {
    const url = await serve(() => undefined)
    await expect(sendHttp(url, PROBE, AbortSignal.abort())).rejects.toThrow(
      `Could not connect to http://${url.host}: timed out.`,
    )
  })
})

it('does not read a long count to its end', async () => {
  const url = await serve((socket) => {
    socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${'1'.repeat(10_000_000)}`)
  })
  expect((await getText(url, signal).catch(() => '')).length).toBeLessThan(1_000_000)
})

it.each<[unknown, string]>([
  [{ code: 'ECONNREFUSED' }, 'connection refused'],
  [{ code: 'ENOTFOUND' }, 'unknown host'],
  [{ code: 'EAI_AGAIN' }, 'unknown host'],
  [{ code: 'ETIMEDOUT' }, 'timed out'],
  [{ code: 'EHOSTUNREACH', message: 'no route' }, 'EHOSTUNREACH'],
  [new Error('odd'), 'odd'],
  ['text', 'text'],
])('says why a receiver could not be reached: %o', (cause, reason) => {
  const error = new ReceiverUnreachableError('http://a:1', cause)
  expect(error.message).toBe(`Could not connect to http://a:1: ${reason}.`)
  expect([error.name, error.cause]).toEqual(['ReceiverUnreachableError', cause])
  expect(error.helpUrl).toMatch(/^https:\/\/.+#ReceiverUnreachableError$/)
})
