import { once } from 'node:events'
import { Server } from 'node:http'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { IncomingMessage, OutgoingMessage, ResponseOrPromise } from '../../src/http/message.ts'
import { listenOnSocket } from '../../src/http/transports/socket.ts'
import { deferred } from '../support/deferred.ts'

const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

/** Listens with a handler, and sends requests to it byte by byte. */
async function listen(handler: (request: IncomingMessage) => ResponseOrPromise, host = '127.0.0.1') {
  const listener = await listenOnSocket(handler, { port: 0, host })
  onTestFinished(() => listener.close())
  const port = Number(new URL(listener.url).port)
  /** Returns what is received until the connection ends, and the code of its error. */
  const send = async (bytes: string): Promise<{ text: string; error: string | undefined }> => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    onTestFinished(() => {
      socket.destroy()
    })
    let text = ''
    let error: string | undefined
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('error', (cause: NodeJS.ErrnoException) => {
      error = cause.code
    })
    await once(socket, 'close').catch(() => {})
    return { text, error }
  }
  return { url: listener.url, port, send }
}

const ok = (response: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  status: 200,
  headers: { 'x-one': '1' },
  body: 'é',
  ...response,
})

describe('the URL of a listener', () => {
  it.each([
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:[1-9]\d+$/],
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:[1-9]\d+$/],
    ['', /^http:\/\/127\.0\.0\.1:[1-9]\d+$/],
  ])('for the host %j is one that clients of this machine reach', async (host, url) => {
    expect((await listen(() => ok(), host)).url).toMatch(url)
  })

  it.each([
    ['::', 'http://127.0.0.1:8787'],
    ['::1', 'http://[::1]:8787'],
  ])('for the host %j is one that clients reach, also of a machine without IPv6', async (host, url) => {
    // Another address than that of the call, which every machine has.
    const open: (port: number, host: string, done: () => void) => Server = Server.prototype.listen
    const listening = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (
      this: Server,
      ...[, , done]: unknown[]
    ) {
      return open.call(this, 0, '127.0.0.1', done as () => void)
    })
    const address = vi
      .spyOn(Server.prototype, 'address')
      .mockReturnValue({ port: 8787, family: 'IPv6', address: host })
    const listener = await listenOnSocket(() => ok(), { port: 8787, host })
    expect(listening.mock.calls[0]?.slice(0, 2)).toEqual([8787, host])
    address.mockRestore()
    listening.mockRestore()
    onTestFinished(() => listener.close())
    expect(listener.url).toBe(url)
  })
})

describe('a response over a socket', () => {
  it('has a stream in chunks, with its headers at once', async () => {
    const { promise: asked, resolve: more } = deferred()
    const { port } = await listen(() =>
      ok({
        body: (async function* () {
          await asked
          yield Buffer.from('a')
          yield Buffer.from('b')
        })(),
      }),
    )
    const socket = connect(port, '127.0.0.1', () => socket.write(GET)).setEncoding('latin1')
    const [head] = (await once(socket, 'data')) as [string]
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head.endsWith('\r\n\r\n')).toBe(true)
    let body = ''
    socket.on('data', (chunk: string) => {
      body += chunk
    })
    more()
    await once(socket, 'close')
    expect(body).toBe('1\r\na\r\n1\r\nb\r\n0\r\n\r\n')
  })

  it('waits for a client that reads slowly, and ends its stream when it disconnects', async () => {
    let sent = 0
    const { promise: whenEnded, resolve: ended } = deferred()
    const { port } = await listen(() =>
      ok({
        body: (async function* () {
          try {
            for (; sent < 64; sent += 1) yield new Uint8Array(1_048_576)
          } finally {
            ended()
          }
        })(),
      }),
    )
    const socket = connect(port, '127.0.0.1', () => socket.write(GET))
    await once(socket, 'data')
    socket.pause()
    socket.destroy()
    await whenEnded
    expect(sent).toBeLessThan(64)
  })

  it('is not begun for a client that has disconnected', async () => {
    let begun = false
    const { promise: responded, resolve: respond } = deferred()
    const { port } = await listen(async ({ signal }) => {
      const gone = once(signal, 'abort')
      client.destroy()
      await gone
      respond()
      return ok({
        body: (async function* () {
          begun = true
          yield Buffer.from('a')
        })(),
      })
    })
    const client = connect(port, '127.0.0.1', () => client.write(GET))
    await responded
    await turn()
    expect(begun).toBe(false)
  })

  it('is cut off when it cannot be sent', async () => {
    const broken = ok({ headers: { 'x-one': 'a\nb' } })
    expect((await (await listen(async () => broken)).send(GET)).text).toBe('')
    const failing = ok({
      body: (async function* () {
        yield Buffer.from('a')
        throw new Error('lost')
      })(),
    })
    const { text } = await (await listen(() => failing)).send(GET)
    expect(text).not.toContain('\r\n0\r\n')
  })
})

describe('the rest of a body that is not read', () => {
  const refuse = async (request: IncomingMessage) => {
    await request.readBody(10).catch(() => {})
    return ok({ status: 400, body: 'no' })
  }
  const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n'

  it('[ERR-01] is dropped, so that the connection can be used again', async () => {
    const { send } = await listen(refuse)
    const body = 'x'.repeat(300_000)
    for (const post of [
      `${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`,
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ]) {
      const { text, error } = await send(post + GET)
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 400'])
      expect(error).toBeUndefined()
    }
  })
})
