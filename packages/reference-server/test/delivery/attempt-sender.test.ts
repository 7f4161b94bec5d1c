import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { serve } from '../../../../test/support/serve.ts'
import { AttemptSender } from '../../src/delivery/attempt.ts'
import { parseHostOverrides } from '../../src/delivery/host-overrides.ts'
import type { AttemptResult, SenderSettings } from '../../src/delivery/sender.ts'
import type { AddressRules } from '../../src/policy/address-rules.ts'
import { deferred } from '../support/deferred.ts'
import { manualTime } from './manual-time.ts'

const OK: AttemptResult = { httpStatus: 200, error: null, receiverAnswer: 'ok' }
const without = (error: AttemptResult['error']): AttemptResult => ({
  httpStatus: null,
  error,
  receiverAnswer: null,
})

/** A receiver, with the requests and connections that reached it. */
async function listen(respond: RequestListener = (_, response) => response.end('ok')) {
  const server = createServer(respond)
  const requests: IncomingMessage[] = []
  const sockets: Socket[] = []
  server.on('request', (request) => requests.push(request))
  server.on('connection', (socket) => sockets.push(socket))
  const url = `${await serve(server)}/`
  return { server, port: new URL(url).port, url, requests, sockets }
}

/** A sender whose deadlines pass only when the test says so. */
function createSender(settings: Partial<SenderSettings> = {}) {
  const time = manualTime()
  const asked: string[] = []
  const { resolve = async () => ['127.0.0.1'] } = settings
  const all = {
    rules: 'development' as AddressRules,
    hostOverrides: new Map(),
    timeoutMs: WAIT_MS,
    deadlines: time,
    ...settings,
    resolve: (host: string) => {
      asked.push(host)
      return resolve(host)
    },
  }
  const sender = new AttemptSender(all)
  onTestFinished(() => sender.close())
  const results: AttemptResult[] = []
  const send = (url: string): Promise<AttemptResult> =>
    new Promise((done) =>
      sender.send({ url, headers: ['x-one', '1'], body: Buffer.from('{"a":1}') }, (result) => {
        results.push(result)
        done(result)
      }),
    )
  return { sender, settings: all, asked, results, send, passDeadline: () => time.pass(WAIT_MS) }
}

describe('an attempt', () => {
  it('[DLV-11] uses the connection of the attempt before it', async () => {
    const { url, sockets } = await listen()
    const { send } = createSender()
    for (let count = 0; count < 3; count += 1) {
      expect(await send(url)).toEqual(OK)
      // undici frees the connection in a later turn.
      await turn()
    }
    expect(sockets).toHaveLength(1)
  })

  it('[DLV-11] leaves no connection open if a test has replaced setImmediate, which undici needs to use it again', async () => {
    const { url, sockets } = await listen()
    const { send } = createSender()
    const { setImmediate } = globalThis
    onTestFinished(() => {
      globalThis.setImmediate = setImmediate
    })
    globalThis.setImmediate = (() => {}) as unknown as typeof setImmediate
    expect([await send(url), await send(url)]).toEqual([OK, OK])
    await Promise.all(sockets.map((socket) => socket.destroyed || once(socket, 'close')))
    expect(sockets).toHaveLength(2)
  })

  it('[HOOK-05] looks a name up for each attempt and each connection, but no literal and no overridden host', async () => {
    const { port, url } = await listen()
    const overrides = parseHostOverrides(new Map([['hooks.example.com', url.slice(0, -1)]]))
    const { send, asked } = createSender({ hostOverrides: overrides })
    await send(url)
    await send('http://hooks.example.com:8080/')
    expect(asked).toEqual([])
    await send(`http://named.example:${port}/`)
    expect(asked).toEqual(['named.example', 'named.example'])
    await turn()
    await send(`http://named.example:${port}/`)
    expect(asked).toEqual(['named.example', 'named.example', 'named.example'])
  })

  it('[DLV-11] closes the connection and ends once, whatever the receiver still sends', async () => {
    const { server, url } = await listen((_, response) => {
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    const closed = new Promise((resolve) =>
      server.once('connection', (socket) => socket.once('close', resolve)),
    )
    const { send, results, passDeadline } = createSender()
    const long = { httpStatus: 200, error: null, receiverAnswer: 'x'.repeat(300) }
    expect(await send(url)).toEqual(long)
    await closed
    await passDeadline()
    await turn()
    expect(results).toEqual([long])
  })
})

describe('the deadline of an attempt', () => {
  it('[DLV-05] closes the connection to a receiver that does not respond', async () => {
    const { server, url } = await listen(() => {})
    const received = once(server, 'request')
    const { send, passDeadline } = createSender()
    const result = send(url)
    const [{ socket }] = (await received) as [IncomingMessage]
    const closed = once(socket, 'close')
    await passDeadline()
    expect(await result).toEqual(without('timeout'))
    await closed
  })

  it('[DLV-05] covers the lookup, after which nothing is connected', async () => {
    const { promise, resolve: answer } = deferred<readonly string[]>()
    const { send, asked, passDeadline } = createSender({ resolve: () => promise })
    const result = send('http://named.example:5000/')
    await passDeadline()
    expect(await result).toEqual(without('timeout'))
    answer(['127.0.0.1'])
    await turn()
    // The connection would look it up once more.
    expect(asked).toEqual(['named.example'])
  })

  it('[DLV-05] covers the connection, on which nothing is sent then', async () => {
    const { server, port, requests } = await listen()
    const { promise, resolve: answer } = deferred<readonly string[]>()
    const { send, asked, passDeadline } = createSender({
      resolve: async () => (asked.length === 1 ? ['127.0.0.1'] : promise),
    })
    const result = send(`http://named.example:${port}/`)
    await expect.poll(() => asked.length).toBe(2)
    await passDeadline()
    expect(await result).toEqual(without('timeout'))
    const connected = once(server, 'connection')
    const requested = once(server, 'request')
    answer(['127.0.0.1'])
    const [socket] = (await connected) as [Socket]
    await Promise.race([once(socket, 'close'), requested])
    expect(requests).toEqual([])
  })
})

describe('the attempts in flight', () => {
  it('[DLV-06] all end as resets, and their connections are closed', async () => {
    const { server, url, sockets } = await listen(() => {})
    const { sender, send } = createSender()
    const both = Promise.all([send(url), send(url)])
    await once(server, 'request')
    await expect.poll(() => sockets.length).toBe(2)
    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
    sender.abandonAll()
    expect(await both).toEqual([without('reset'), without('reset')])
    await closed
  })

  it('[DLV-06] end when the sender is closed, with the connections that are idle', async () => {
    const { url, sockets } = await listen()
    const { sender, send } = createSender()
    expect(await send(url)).toEqual(OK)
    const closed = once(sockets[0] as Socket, 'close')
    await sender.close()
    await closed
    expect(await send(url)).toMatchObject({ httpStatus: null })
  })
})
