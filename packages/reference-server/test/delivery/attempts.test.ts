import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { serve } from '../../../../test/support/serve.ts'
import type { ScriptStep } from '../../src/receiver/index.ts'
import { bodyRead, DeadlineClock } from './deadline-clock.ts'
import { createWorld, listen, START } from './world.ts'

/** Starts a TCP server that handles every connection the same way. */
const rawServer = (onConnection: (socket: Socket) => void) => serve(createServer(onConnection))

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
    [204, 'delivered', 204, '', null],
    ['redirect', 'pending', 302, '', 'http_302'],
    [304, 'pending', 304, '', 'http_304'],
    [429, 'pending', 429, '', 'http_429'],
    [500, 'pending', 500, '', 'http_500'],
    [{ body: 'no gzip', headers: { 'content-encoding': 'gzip' } }, 'delivered', 200, 'no gzip', null],
    ['timeout', 'pending', null, null, 'timeout'],
    ['reset', 'pending', null, null, 'reset'],
    ['garbage', 'pending', null, null, 'protocol'],
    ['slow(1)', 'delivered', 200, '', null],
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
    // It follows no redirect.
    expect(receiver.deliveries).toHaveLength(1)
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

  it('closes the connections of attempts in flight on a reset', async () => {
    const { server, hook, submit } = await createWorld({ deliveryTimeoutMs: 600_000 })
    let closed: Promise<unknown> | undefined
    const url = await rawServer((socket) => {
      socket.once('data', () => {
        closed = once(socket.resume(), 'close')
      })
    })
    await hook(url)
    submit()
    await expect.poll(() => closed !== undefined).toBe(true)
    server.app.reset()
    expect(await closed).toEqual([false])
  })

  it('[DLV-05] uses the status even when the connection is lost in the body', async () => {
    const world = await createWorld()
    const url: string = await rawServer((socket) => {
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

  it.each([
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 'protocol'],
    ['HTTP/1.1 101 Switching Protocols\r\nupgrade: chat\r\nconnection: upgrade\r\n\r\n', 'protocol'],
    ['HTTP/1.1 099 Early\r\ncontent-length: 0\r\n\r\n', 'protocol'],
    // The connection ends before a whole status line.
    ['HTTP/1.1 20', 'reset'],
  ])('[DLV-05] after the bytes %j it is a %s error', async (bytes, error) => {
    const world = await createWorld()
    const url = await rawServer((socket) => {
      socket.once('data', () => (error === 'reset' ? socket.end(bytes) : socket.write(bytes)))
    })
    expect((await afterOneAttempt(world, url)).error).toBe(error)
  })

  it('[DLV-11] requests a response without encoding', async () => {
    const world = await createWorld()
    const { receiver } = await world.receive()
    world.submit()
    await world.server.clock.advance(0)
    expect(receiver.deliveries[0]?.headers['accept-encoding']).toBe('identity')
  })
})
