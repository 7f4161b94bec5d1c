import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { TEST_TIMEOUT_MS } from '../../../../test/support/patience.ts'
import type { ScriptStep } from '../../src/receiver/index.ts'
import { bodyRead, DeadlineClock } from './deadline-clock.ts'
import { createWorld, listen, NO_RESPONSE, START } from './world.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Starts a TCP server that handles every connection the same way. */
async function rawServer(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer(onConnection)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** What the log says after one attempt. */
async function afterOneAttempt(world: Awaited<ReturnType<typeof createWorld>>, url: string) {
  const { id } = await world.hook(url)
  world.submit()
  await world.server.clock.advance(0)
  const [entry] = world.server.app.deliveries.list(world.formId, id)
  const detail = world.server.app.deliveries.get(entry!.id)
  const { http_status, receiver_answer, status } = detail
  return { status, http_status, receiver_answer, error: detail.attempts[0]?.error }
}

describe('one attempt', () => {
  it.each<[ScriptStep, string, number | null, string | null, string | null]>([
    [200, 'delivered', 200, '', null],
    [201, 'delivered', 201, '', null],
    [204, 'delivered', 204, '', null],
    [299, 'delivered', 299, '', null],
    [301, 'pending', 301, '', 'http_301'],
    ['redirect', 'pending', 302, '', 'http_302'],
    [304, 'pending', 304, '', 'http_304'],
    [400, 'pending', 400, '', 'http_400'],
    [410, 'pending', 410, '', 'http_410'],
    [429, 'pending', 429, '', 'http_429'],
    [500, 'pending', 500, '', 'http_500'],
    [503, 'pending', 503, '', 'http_503'],
    ['timeout', 'pending', null, null, 'timeout'],
    ['reset', 'pending', null, null, 'reset'],
    ['garbage', 'pending', null, null, 'protocol'],
    ['slow(50)', 'delivered', 200, '', null],
    ['slow(5000)', 'pending', null, null, 'timeout'],
    ['hang-body', 'delivered', 200, 'and then', null],
    [{ status: 500, ending: 'hang-body' }, 'pending', 500, 'and then', 'http_500'],
  ])('[DLV-05] after %j it is %s', async (step, status, http_status, receiver_answer, error) => {
    const clock = new DeadlineClock(START)
    const world = await createWorld({ clock })
    const receiver = await listen({
      script: [step],
      onDelivery: () => {
        if (error === 'timeout') clock.passDeadlines()
      },
    })
    if (receiver_answer === 'and then') void bodyRead(receiver).then(() => clock.passDeadlines())
    expect(await afterOneAttempt(world, receiver.url)).toEqual({
      status,
      http_status,
      receiver_answer,
      error,
    })
  })

  it('[DLV-05] follows no redirect', async () => {
    const world = await createWorld()
    const { receiver } = await world.receive({ script: ['redirect', '301', '307', '308', '303', '300'] })
    world.submit()
    await world.server.clock.advance('15h')
    expect(receiver.deliveries.map((delivery) => delivery.path)).toEqual(Array(6).fill('/'))
    expect(world.log(1)).toEqual([{ status: 'failed', attempts: 6, note: null }])
  })

  it('[DLV-05] reports a refused connection', async () => {
    const world = await createWorld()
    expect(await afterOneAttempt(world, `http://127.0.0.1:${await freePort()}/`)).toEqual({
      status: 'pending',
      http_status: null,
      receiver_answer: null,
      error: 'refused',
    })
  })

  it('[DLV-05] reports a name that does not resolve', async () => {
    const world = await createWorld({
      unspecified: { unresolvableHost: 'accepted' },
      dns: () => Promise.reject(new Error('ENOTFOUND')),
    })
    expect((await afterOneAttempt(world, 'https://nowhere.example/')).error).toBe('dns')
  })

  it('[DLV-05] applies the deadline to a name server that does not respond', async () => {
    let asked = 0
    const clock = new DeadlineClock(START)
    const world = await createWorld({
      clock,
      dns: () => {
        asked += 1
        if (asked === 1) return Promise.resolve(['127.0.0.1'])
        clock.passDeadlines()
        return new Promise(() => {})
      },
    })
    expect((await afterOneAttempt(world, 'http://slow.example:5000/')).error).toBe('timeout')
  })

  it('[DLV-05] reports a peer that does not use TLS', async () => {
    const world = await createWorld()
    const url = await rawServer((socket) => {
      socket.on('error', () => {})
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    expect((await afterOneAttempt(world, url.replace('http:', 'https:'))).error).toBe('tls')
  })

  it('[DLV-05] counts a connection that ends before a whole status line as a reset', async () => {
    const world = await createWorld()
    const url = await rawServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('HTTP/1.1 20'))
    })
    expect((await afterOneAttempt(world, url)).error).toBe('reset')
  })

  it('[DLV-05] uses the status even when the connection is lost in the body', async () => {
    const world = await createWorld()
    const url: string = await rawServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        void bodyRead({ url }).then(() => socket.resetAndDestroy())
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf a')
      })
    })
    expect(await afterOneAttempt(world, url)).toEqual({
      status: 'delivered',
      http_status: 200,
      receiver_answer: 'half a',
      error: null,
    })
  })

  it('[DLV-05] does not take an interim response for the final one', async () => {
    const world = await createWorld(NO_RESPONSE)
    const url = await rawServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write('HTTP/1.1 102 Processing\r\n\r\n'))
    })
    expect((await afterOneAttempt(world, url)).error).toBe('timeout')
  })

  it.each([
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['100 with header fields', 'HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n'],
    [
      '103 Early Hints, then 100',
      'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    ],
    ['100 twice', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
  ])(
    '[DLV-05] ignores an unrequested %s before the response, in one chunk or byte by byte',
    async (_, interim) => {
      const world = await createWorld()
      const bodies = ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 100 more']
      let requests = 0
      const url = await rawServer((socket) => {
        socket.setNoDelay(true)
        socket.on('error', () => {})
        socket.on('data', async (chunk) => {
          if (!chunk.toString().startsWith('POST ')) return
          requests += 1
          const [first, second] = bodies as [string, string]
          const head = `${interim}HTTP/1.1 200 OK\r\ncontent-length: ${first.length + second.length}\r\n\r\n`
          // The second response on the connection comes byte by byte; then each half of the body in a chunk of its own.
          const pieces = requests === 1 ? [head] : [...head]
          for (const piece of [...pieces, first, second]) {
            socket.write(piece)
            await turn()
          }
        })
      })
      const { id } = await world.hook(url)
      for (const delivered of [1, 2]) {
        world.submit()
        await world.server.clock.advance(0)
        const [entry] = world.server.app.deliveries.list(world.formId, id)
        expect(entry).toMatchObject({
          status: 'delivered',
          attempts: 1,
          http_status: 200,
          receiver_answer: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 more',
        })
        expect(requests).toBe(delivered)
      }
    },
  )

  it('[DLV-05] does not take a 100 Continue for the response', async () => {
    const world = await createWorld(NO_RESPONSE)
    const url = await rawServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write('HTTP/1.1 100 Continue\r\n\r\n'))
    })
    expect((await afterOneAttempt(world, url)).error).toBe('timeout')
  })

  it.each([
    ['101 Switching Protocols', 'upgrade: chat\r\nconnection: upgrade\r\n'],
    ['099 Early', 'content-length: 0\r\n'],
  ])('[DLV-05] treats the unrequested response %s as a protocol error', async (line, headers) => {
    const world = await createWorld()
    const url = await rawServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write(`HTTP/1.1 ${line}\r\n${headers}\r\n`))
    })
    expect((await afterOneAttempt(world, url)).error).toBe('protocol')
  })

  it.each([undefined, null, 'text', [{ address: '127.0.0.1' }], []])(
    '[DLV-05] treats a resolver that returns %j as one without addresses',
    async (answer) => {
      let later: unknown = ['127.0.0.1']
      const world = await createWorld({ dns: async () => later as string[] })
      const { id } = await world.hook('http://hooks.example:8080/')
      later = answer
      world.submit()
      await world.server.clock.advance(0)
      const [entry] = world.server.app.deliveries.list(world.formId, id)
      expect(world.server.app.deliveries.get(entry!.id).attempts[0]?.error).toBe('dns')
      expect(
        (
          await world.api('POST', `/api/v1/forms/${world.formId}/webhooks`, {
            url: 'http://more.example:8080/',
          })
        ).status,
      ).toBe(422)
    },
  )

  it('[DLV-05] cuts off a response that drips past the deadline', async () => {
    const clock = new DeadlineClock(START)
    const world = await createWorld({ clock, deliveryTimeoutMs: 2 * TEST_TIMEOUT_MS })
    const { receiver } = await world.receive({ script: ['drip'] })
    void bodyRead(receiver).then(() => clock.passDeadlines())
    world.submit()
    // Without the deadline this waits forever.
    await world.server.clock.advance(0)
    const [entry] = world.server.app.deliveries.list(world.formId, 1)
    expect(entry?.status).toBe('delivered')
    expect(entry?.receiver_answer).toMatch(/^\.+$/)
    expect(receiver.deliveries).toHaveLength(1)
  })

  it('[DLV-11] reads no more of an endless response than is kept', async () => {
    const world = await createWorld({ deliveryTimeoutMs: 2 * TEST_TIMEOUT_MS })
    await world.receive({ script: ['endless-body'] })
    world.submit()
    await world.server.clock.advance(0)
    const [entry] = world.server.app.deliveries.list(world.formId, 1)
    expect(entry?.status).toBe('delivered')
    expect(entry?.receiver_answer).toHaveLength(300)
  })

  it('[DLV-11] requests a response without encoding', async () => {
    const world = await createWorld()
    const { receiver } = await world.receive()
    world.submit()
    await world.server.clock.advance(0)
    expect(receiver.deliveries[0]?.headers['accept-encoding']).toBe('identity')
  })
})

describe('the stored response body', () => {
  const kept = async (body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const world = await createWorld()
    await world.receive({ script: [{ status: 500, body, headers }] })
    world.submit()
    await world.server.clock.advance(0)
    return world.server.app.deliveries.list(world.formId, 1)[0]?.receiver_answer
  }

  it('[DLV-07] keeps the first 300 characters', async () => {
    expect(await kept(`${'a'.repeat(299)}bc`)).toBe(`${'a'.repeat(299)}b`)
    expect(await kept('a'.repeat(300))).toBe('a'.repeat(300))
  })

  it('[DLV-07] counts Unicode code points, not bytes or UTF-16 units', async () => {
    expect(await kept('é'.repeat(301))).toBe('é'.repeat(300))
    expect(await kept('🚀'.repeat(301))).toBe('🚀'.repeat(300))
    expect(await kept(`a${'🚀'.repeat(400)}`)).toBe(`a${'🚀'.repeat(299)}`)
  })

  it('[DLV-07] shows invalid UTF-8 as U+FFFD', async () => {
    expect(await kept(Uint8Array.of(0x61, 0xff, 0x62, 0xc3))).toBe('a\ufffdb\ufffd')
    expect(await kept(new Uint8Array(2_000).fill(0x80))).toBe('\ufffd'.repeat(300))
  })

  it('[DLV-07] does not decode an encoded response', async () => {
    expect(await kept('still gzip?', { 'content-encoding': 'gzip' })).toBe('still gzip?')
  })

  it('[DLV-07] distinguishes an empty response from none', async () => {
    expect(await kept('')).toBe('')
  })
})
