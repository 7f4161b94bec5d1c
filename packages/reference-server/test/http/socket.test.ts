import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { listenOnSocket } from '../../src/http/socket.ts'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'
import { KEYS, SEED } from '../conformance/seed.ts'

const open: ReferenceServer[] = []
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())))

async function listen() {
  const server = createReferenceServer({ seed: SEED, adminToken: 'admintoken' })
  open.push(server)
  const { url } = await server.listen({ port: 0 })
  return { server, url, port: Number(new URL(url).port) }
}

/** Sends bytes as they are and collects what comes back, until the server closes or `until` is in it. */
function raw(port: number, bytes: string, until?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
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

const auth = `Authorization: Bearer ${KEYS.write}\r\n`

describe('the socket door', () => {
  it('[ERR-01] answers a body past 1 MiB while the client still sends, announced or not', async () => {
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

  it('[ERR-01] keeps the connection usable after a refused body was sent to its end', async () => {
    const { url } = await listen()
    const headers = { authorization: `Bearer ${KEYS.write}`, 'content-type': 'application/json' }
    for (let i = 0; i < 3; i += 1) {
      const refused = await fetch(`${url}/api/v1/forms/formsurvey01`, {
        method: 'PATCH',
        headers,
        body: 'x'.repeat(3_000_000),
      })
      expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
        400,
        'bad_request',
      ])
    }
    expect((await fetch(`${url}/api/v1/me`, { headers })).status).toBe(200)
  })

  it('[AUTH-01] [AUTH-03] [AUTH-07] looks at the key of each request of a kept connection anew', async () => {
    const { server, port } = await listen()
    const statuses: string[] = []
    const socket = connect(port, '127.0.0.1')
    const ask = (method: string, target: string, key: string) =>
      new Promise<void>((resolve) => {
        socket.once('data', (chunk) => {
          statuses.push(chunk.toString('latin1').slice(9, 12))
          resolve()
        })
        socket.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
      })
    await ask('GET', '/api/v1/me', KEYS.read)
    await ask('DELETE', '/api/v1/forms/formsurvey01/responses/1', KEYS.read)
    await ask('GET', '/api/v1/me', KEYS.write)
    await ask('GET', '/api/v1/me', `${KEYS.write}x`)
    await ask('GET', '/api/v1/me', KEYS.write)
    for (const { id } of server.app.keys.list()) server.app.keys.revoke(id)
    await ask('GET', '/api/v1/me', KEYS.write)
    socket.destroy()
    expect(statuses).toEqual(['200', '403', '200', '401', '200', '401'])
  })

  it('[AUTH-13] refuses a key before it reads the body', async () => {
    const { port } = await listen()
    const answer = await raw(
      port,
      'PATCH /api/v1/forms/formsurvey01 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n',
      '\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/)
  })

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    ['a header too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a target that is no path', 'GET nothing HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('[ERR-01] answers %s with 400 and goes on', async (_what, bytes) => {
    const { port, url } = await listen()
    expect(await raw(port, bytes)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect((await fetch(`${url}/_app/health`)).status).toBe(200)
  })

  it('takes a target in absolute form, and the asterisk for a path that is not there', async () => {
    const { port } = await listen()
    expect(
      await raw(
        port,
        `GET http://elsewhere.example/api/v1/me HTTP/1.1\r\nHost: x\r\n${auth}Connection: close\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(await raw(port, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 404 Not Found\r\n/,
    )
  })

  it('goes by the host of a target in absolute form, not by the Host beside it', async () => {
    const { port } = await listen()
    const health = (target: string, host: string) =>
      raw(port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(await health('http://elsewhere.example/_app/health', 'localhost')).toMatch(/^HTTP\/1\.1 403 /)
    expect(await health('http://localhost/_app/health', 'localhost')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await health('http://localhost?next=/_app/health', 'localhost')).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('[ERR-01] survives a client that leaves in the middle of its body', async () => {
    const { port, url } = await listen()
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `PATCH /api/v1/forms/formsurvey01 HTTP/1.1\r\nHost: x\r\n${auth}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"ti`,
        )
        socket.end(() => socket.destroy())
      })
      socket.on('close', () => resolve())
    })
    expect((await fetch(`${url}/_app/health`)).status).toBe(200)
  })

  it('keeps apart what is pipelined on one connection', async () => {
    const { port } = await listen()
    const text = await raw(
      port,
      `GET /api/v1/me HTTP/1.1\r\nHost: x\r\n${auth}\r\nGET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n${auth}Connection: close\r\n\r\n`,
    )
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
  })

  it('cuts the connection for a fault that says so, and fails in process as fetch would', async () => {
    const { server, url } = await listen()
    server.app.faults.add({ path: '/api/v1/me', reset: true, times: 2 })
    const headers = { authorization: `Bearer ${KEYS.read}` }
    await expect(fetch(`${url}/api/v1/me`, { headers })).rejects.toThrow('fetch failed')
    await expect(server.fetch('http://x/api/v1/me', { headers })).rejects.toThrow('fetch failed')
    expect((await fetch(`${url}/api/v1/me`, { headers })).status).toBe(200)
  })

  it('gives forms the address at which it listens, and says which port is taken', async () => {
    const { server, port, url } = await listen()
    expect(server.app.forms.get('formsurvey01').url).toBe(`${url}/f/survey`)
    const second = createReferenceServer()
    open.push(second)
    await expect(second.listen({ port })).rejects.toThrow('EADDRINUSE')
    await expect(server.listen({ port: 0 })).rejects.toThrow(`listens already, on ${url}`)
    const taken = await Promise.allSettled([second.listen({ port: 0 }), second.listen({ port: 0 })])
    expect(taken.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  it('closes at once when an event stream was open: nobody waits for the grace of answers on their way', async () => {
    const { server, url } = await listen()
    const stream = await fetch(`${url}/_app/deliveries/stream`, {
      headers: { authorization: 'Bearer admintoken' },
    })
    expect(stream.status).toBe(200)
    const began = performance.now()
    const [text] = await Promise.all([stream.text(), server.close()])
    expect(text).not.toContain('event: delivery')
    // The grace is a second.
    expect(performance.now() - began).toBeLessThan(900)
  })

  it.each([
    ['is on its way already', 0],
    ['comes while it closes', 30],
  ])('lets a client read an answer to its end that %s', async (_when, afterMs) => {
    const body = 'x'.repeat(8_000_000)
    let asked = (): void => {}
    const whenAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const listener = await listenOnSocket(
      () => {
        asked()
        const answer = { status: 200, headers: {}, body }
        return afterMs === 0 ? answer : new Promise((resolve) => setTimeout(() => resolve(answer), afterMs))
      },
      { port: 0, host: '127.0.0.1' },
    )
    const client = connect(Number(new URL(listener.url).port), '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await whenAsked
    const closed = listener.close()
    // More than the system takes on its own waits in the server while nobody reads.
    await new Promise((resolve) => setTimeout(resolve, afterMs + 50))
    const ended = new Promise((resolve) => client.once('close', resolve))
    let text = ''
    client.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
    })
    await Promise.all([closed, ended])
    expect(text.slice(text.indexOf('\r\n\r\n') + 4).length).toBe(body.length)
  })

  it('opens no port after it was closed, nor when it is closed while it opens one', async () => {
    const closed = createReferenceServer()
    await closed.close()
    await expect(closed.listen({ port: 0 })).rejects.toThrow('The server is closed.')

    const closing = createReferenceServer()
    const listening = closing.listen({ port: 0 })
    await Promise.all([closing.close(), expect(listening).rejects.toThrow('The server is closed.')])
    expect(process.getActiveResourcesInfo()).not.toContain('TCPServerWrap')
  })

  it('closes while connections are open, twice without harm', async () => {
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
