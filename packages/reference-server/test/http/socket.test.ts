import { once } from 'node:events'
import { Server } from 'node:http'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { listenOnSocket } from '../../src/http/transports/socket.ts'
import { KEYS, SEED } from '../conformance/seed.ts'
import { deferred } from '../support/deferred.ts'
import { ask, openServer } from '../support/server.ts'

async function listen() {
  const server = openServer({ seed: SEED, adminToken: 'admintoken' })
  const { url } = await server.listen({ port: 0 })
  return { server, url, port: Number(new URL(url).port) }
}

/** Sends raw bytes and returns the received text, until the server closes or the text contains `until`. */
function raw(port: number, bytes: string, until?: string, localAddress?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) }, () =>
      socket.write(bytes),
    )
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (until !== undefined && text.includes(until)) {
        socket.destroy()
        resolve(text)
      }
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

/** Whether a server can listen on a port. */
const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

const auth = `Authorization: Bearer ${KEYS.write}\r\n`

describe('the socket transport', () => {
  it('sends the time of a manual clock as the Date of the API and the control API', async () => {
    const server = openServer({ seed: SEED, adminToken: 'admintoken', clock: 'manual', now: 0 })
    const { url } = await server.listen({ port: 0 })
    await server.clock.advance('90s')
    server.app.faults.add({ path: '/api/v1/forms', status: 503 })
    for (const path of ['/api/v1/me', '/_app/health', '/api/v1/forms'])
      expect((await fetch(url + path)).headers.get('date')).toBe('Thu, 01 Jan 1970 00:01:30 GMT')
  })
  it('[ERR-01] responds to a body beyond 1 MiB while the client is still sending, with and without a length', async () => {
    const { port } = await listen()
    const head = `PATCH /api/v1/forms/formsurvey01 HTTP/1.1\r\nHost: x\r\n${auth}Content-Type: application/json\r\n`
    const announced = await raw(port, `${head}Content-Length: 999999999\r\n\r\n{`, '\r\n\r\n')
    expect(announced).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const chunked = await raw(
      port,
      `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}`,
      '\r\n\r\n',
    )
    expect(chunked).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  })

  // Other systems have to be configured to use 127.0.0.2.
  it.each(process.platform === 'linux' ? ['127.0.0.2'] : [])(
    '[RATE-02] counts failed authentications per peer address, apart from those of %s',
    async (other) => {
      const { port } = await listen()
      const failFrom = async (localAddress: string) =>
        (await raw(port, 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n', '\r\n\r\n', localAddress)).slice(9, 12)
      for (let i = 0; i < 30; i += 1) expect(await failFrom('127.0.0.1')).toBe('401')
      expect(await failFrom('127.0.0.1')).toBe('429')
      expect(await failFrom(other)).toBe('401')
    },
  )

  it('[AUTH-01] [AUTH-03] [AUTH-07] checks the key of every request of a connection', async () => {
    const { server, port } = await listen()
    const statuses: string[] = []
    const socket = connect(port, '127.0.0.1')
    const send = (method: string, target: string, key: string) =>
      new Promise<void>((resolve) => {
        socket.once('data', (chunk) => {
          statuses.push(chunk.toString('latin1').slice(9, 12))
          resolve()
        })
        socket.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
      })
    await send('GET', '/api/v1/me', KEYS.read)
    await send('DELETE', '/api/v1/forms/formsurvey01/responses/1', KEYS.read)
    await send('GET', '/api/v1/me', KEYS.write)
    await send('GET', '/api/v1/me', `${KEYS.write}x`)
    await send('GET', '/api/v1/me', KEYS.write)
    for (const { id } of server.app.keys.list()) server.app.keys.revoke(id)
    await send('GET', '/api/v1/me', KEYS.write)
    socket.destroy()
    expect(statuses).toEqual(['200', '403', '200', '401', '200', '401'])
  })

  it('[AUTH-13] rejects a key before reading the body', async () => {
    const { port } = await listen()
    const response = await raw(
      port,
      'PATCH /api/v1/forms/formsurvey01 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n',
      '\r\n\r\n',
    )
    expect(response).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/)
  })

  it.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    ['an oversized header', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a target that is not a path', 'GET nothing HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('[ERR-01] responds to %s with 400 and keeps serving', async (_what, bytes) => {
    const { port, url } = await listen()
    expect(await raw(port, bytes)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect((await fetch(`${url}/_app/health`)).status).toBe(200)
  })

  it.each([
    ['an unknown expectation', `GET /api/v1/me HTTP/1.1\r\nHost: x\r\n${auth}Expect: x\r\n\r\n`],
    ['no Host', `GET /api/v1/me HTTP/1.1\r\n${auth}\r\n`],
    ['no Host after another header', `GET /f/survey HTTP/1.1\r\nX-Host: x\r\n\r\n`],
    ['two Hosts', `GET /api/v1/me HTTP/1.1\r\nHost: x\r\n${auth}HOST: x\r\n\r\n`],
    [
      'two Hosts for the control API',
      'GET /_app/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n',
    ],
    [
      'two Hosts with an absolute target',
      'GET http://x/f/survey HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: keep-alive\r\n\r\n',
    ],
  ])('[ENV-03] [ERR-01] responds to %s with 400 in the error envelope and closes', async (_what, bytes) => {
    const { port, server } = await listen()
    const [head = '', body = ''] = (await raw(port, bytes)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(head).toMatch(/\r\ncontent-type: application\/json/i)
    expect(head).toMatch(/\r\nconnection: close/i)
    const { error } = JSON.parse(body)
    expect([Object.keys(error), error.code, typeof error.message]).toEqual([
      ['code', 'message'],
      'bad_request',
      'string',
    ])
    expect(server.app.requests.list()).toEqual([])
  })

  const last = (target: string, headers = '') =>
    `${target} HTTP/1.1\r\nHost: localhost\r\n${auth}Connection: close\r\n${headers}\r\n`
  it.each([
    ['HTTP/1.0 without Host', `GET /api/v1/me HTTP/1.0\r\n${auth}\r\n`, '200'],
    [
      'Expect: 100-continue',
      `${last('PATCH /api/v1/forms/formsurvey01', 'Content-Type: application/json\r\nContent-Length: 13\r\nExpect: 100-continue\r\n')}{"title":"N"}`,
      '100 200',
    ],
    ['a target in absolute form', last('GET http://elsewhere.example/api/v1/me'), '200'],
    ['the host of such a target, not Host', last('GET http://elsewhere.example/_app/health'), '403'],
    ['its own host in such a target', last('GET http://localhost/_app/health'), '200'],
    ['such a target without a path', last('GET http://localhost?next=/_app/health'), '404'],
    ['the asterisk form', last('OPTIONS *'), '404'],
    [
      'pipelined requests, in order',
      `GET /api/v1/me HTTP/1.1\r\nHost: x\r\n${auth}\r\n${last('GET /api/v1/nothing')}`,
      '200 404',
    ],
  ])('responds to %s', async (_what, bytes, statuses) => {
    const { port } = await listen()
    const lines = (await raw(port, bytes)).match(/HTTP\/1\.1 \d+/g) ?? []
    expect(lines.map((line) => line.slice(-3)).join(' ')).toBe(statuses)
  })

  it('[FORM-04] uses its URL for forms, and rejects a port that is in use', async () => {
    const { server, port, url } = await listen()
    expect(server.app.forms.get('formsurvey01').url).toBe(`${url}/f/survey`)
    const { json } = await ask(server, 'GET', '/api/v1/forms/formsurvey01', undefined, {
      authorization: `Bearer ${KEYS.write}`,
    })
    expect(json.data.url).toBe(`${url}/f/survey`)
    const second = openServer()
    await expect(second.listen({ port })).rejects.toThrow('EADDRINUSE')
    await expect(server.listen({ port: 0 })).rejects.toThrow(`already listening on ${url}`)
    const taken = await Promise.allSettled([second.listen({ port: 0 }), second.listen({ port: 0 })])
    expect(taken.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  it.each<[string, (url: string, port: number) => Promise<() => Promise<string>>]>([
    [
      'an event stream',
      async (url) => {
        const headers = { authorization: 'Bearer admintoken' }
        const stream = await fetch(`${url}/_app/deliveries/stream`, { headers })
        return () => stream.text()
      },
    ],
    [
      'a connection that has sent nothing',
      async (_url, port) => {
        const socket = connect(port, '127.0.0.1').setEncoding('latin1')
        await once(socket, 'connect')
        return () => text(socket)
      },
    ],
  ])('closes without the grace period when only %s is open', async (_what, openOne) => {
    // What the grace period ends with, which would close every connection.
    const cut = vi.spyOn(Server.prototype, 'closeAllConnections').mockReturnValue()
    onTestFinished(() => cut.mockRestore())
    const { server, url, port } = await listen()
    const rest = await openOne(url, port)
    const [received] = await Promise.all([rest(), server.close()])
    expect(received).not.toContain('event: delivery')
  })

  it.each([
    ['is in flight', false],
    ['starts while it closes', true],
  ])('lets a client read a whole response that %s', async (_when, isLate) => {
    // Without the grace period, which would close the connection of a slow client.
    const cut = vi.spyOn(Server.prototype, 'closeAllConnections').mockReturnValue()
    onTestFinished(() => cut.mockRestore())
    const body = 'x'.repeat(8_000_000)
    const { promise: whenReceived, resolve: received } = deferred()
    const { promise: whenLate, resolve: respond } = deferred()
    const listener = await listenOnSocket(
      () => {
        received()
        const response = { status: 200, headers: {}, body }
        return isLate ? whenLate.then(() => response) : response
      },
      { port: 0, host: '127.0.0.1' },
    )
    const client = connect(Number(new URL(listener.url).port), '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await whenReceived
    const closing = vi.spyOn(Server.prototype, 'close')
    onTestFinished(() => closing.mockRestore())
    const closed = listener.close()
    respond()
    // The rest waits in the server while the system's buffers are full and the client does not read.
    await once(client, 'readable')
    // What a closing server does every 10 ms.
    ;(closing.mock.contexts[0] as Server).closeIdleConnections()
    const ended = new Promise((resolve) => client.once('close', resolve))
    let text = ''
    client
      .setEncoding('latin1')
      .on('data', (chunk: string) => {
        text += chunk
      })
      .resume()
    await Promise.all([closed, ended])
    expect(text.slice(text.indexOf('\r\n\r\n') + 4).length).toBe(body.length)
  })

  it('does not listen after it was closed', async () => {
    const server = openServer()
    await server.close()
    await expect(server.listen({ port: 0 })).rejects.toThrow('The server is closed.')
  })

  it.each([0, 1, 2, 3, 4, 5])(
    'does not listen when closed while opening a port, %i turns later',
    async (turns) => {
      const server = openServer()
      const port = await freePort()
      const refused = expect(server.listen({ port })).rejects.toThrow('The server is closed.')
      for (let turn = 0; turn < turns; turn += 1) await undefined
      await Promise.all([server.close(), refused])
      await expect.poll(() => isFree(port)).toBe(true)
    },
  )

  it('closes with open connections, and can be closed twice', async () => {
    const { server, url, port } = await listen()
    await (await fetch(`${url}/_app/health`)).text()
    const idle = connect(port, '127.0.0.1')
    await new Promise((resolve) => idle.once('connect', resolve))
    const gone = new Promise((resolve) => idle.once('close', resolve))
    await Promise.all([server.close(), server.close()])
    await gone
    await expect(fetch(`${url}/_app/health`)).rejects.toThrow()
  })
})
