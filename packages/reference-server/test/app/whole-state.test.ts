import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createReferenceServer } from '../../src/index.ts'
import { everyQuestion } from '../../src/seed/questions.ts'
import { createWorld, START } from '../delivery/world.ts'

const HOUR = 3_600_000
const open: Server[] = []

afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections()
})

/** A receiver that holds every request until it is told to answer 500. */
async function holding(): Promise<{ url: string; reached: Promise<void>; letGo: () => void }> {
  let letGo = (): void => {}
  const gone = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let hear = (): void => {}
  const reached = new Promise<void>((resolve) => {
    hear = resolve
  })
  const server = createServer((_request, response) => {
    hear()
    void gone.then(() => response.writeHead(500).end())
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, reached, letGo }
}

describe('the whole state, clock included', () => {
  it('[DLV-06] a reset during an advance leaves the clock at its start', async () => {
    const world = await createWorld()
    const receiver = await holding()
    await world.hook(receiver.url)
    world.submit()
    await receiver.reached
    const advance = world.server.clock.advance('100h')
    const queued = world.server.clock.advance('1h')
    await world.control('POST', '/_app/reset')
    receiver.letGo()
    await Promise.all([advance, queued])
    expect(world.server.clock.now()).toBe(START)
    await world.server.clock.advance('1m')
    expect(world.server.clock.now()).toBe(START + 60_000)
  })

  it('[DLV-06] a snapshot brings its instant back: what waits is due when it was', async () => {
    const world = await createWorld()
    const { receiver, id } = await world.receive({ script: ['500', '500', '500'] })
    world.submit()
    await world.server.clock.advance(0)
    const taken = await world.control('GET', '/_app/snapshot')
    await world.server.clock.advance('2m')
    expect(receiver.deliveries).toHaveLength(2)
    expect((await world.control('PUT', '/_app/snapshot', taken.body)).status).toBe(200)
    expect(world.server.clock.now()).toBe(START)
    expect(world.log(id)).toEqual([{ status: 'pending', attempts: 1, note: null }])
    await world.server.clock.advance('59s')
    expect(receiver.deliveries).toHaveLength(2)
    await world.server.clock.advance('1s')
    expect(receiver.deliveries).toHaveLength(3)
  })

  it('[RESP-07] a snapshot holds every type of question, out as JSON and in again', () => {
    const server = createReferenceServer({ clock: 'manual', now: START })
    const { id } = server.app.forms.create({ title: 'Every type', questions: everyQuestion() })
    server.app.forms.publish(id)
    const taken = JSON.stringify(server.app.snapshot.take())
    server.app.snapshot.restore(JSON.parse(taken))
    expect(JSON.stringify(server.app.snapshot.take())).toBe(taken)
  })

  it('a snapshot with an instant that cannot be read leaves the clock alone', async () => {
    const world = await createWorld()
    const { data } = (await world.control('GET', '/_app/snapshot')).body
    await world.server.clock.advance('1h')
    const put = await world.control('PUT', '/_app/snapshot', { ...data, taken_at: 'yesterday' })
    expect([put.status, world.server.clock.now()]).toEqual([200, START + HOUR])
  })
})

describe('instants', () => {
  it('a manual clock starts at an instant without a zone in UTC, wherever the test runs', () => {
    const now = (text: string) => createReferenceServer({ clock: 'manual', now: text }).clock.now()
    expect(now('2026-11-21T09:30')).toBe(START)
    expect(now('2026-11-21T11:30:00+02:00')).toBe(START)
    expect(() => now('Nov 21, 2026')).toThrow('now takes an ISO 8601 date-time')
  })

  it('[ENV-05] refuses instants that an offset moves out of the years of four digits', async () => {
    const world = await createWorld()
    for (const submitted_at of ['9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+00:01']) {
      const made = await world.control('POST', `/_app/forms/${world.formId}/responses`, {
        answers: [],
        submitted_at,
      })
      expect([made.status, made.body.error.details.field]).toEqual([422, 'submitted_at'])
    }
  })
})

describe('who may be called, once others reach the server', () => {
  it('[HOOK-04] follows the production rules when it listens off loopback, unless said otherwise', async () => {
    for (const [host, addressRules, status] of [
      ['0.0.0.0', undefined, 422],
      ['0.0.0.0', 'development', 201],
      ['127.0.0.1', undefined, 201],
    ] as const) {
      const world = await createWorld(addressRules ? { addressRules } : {})
      await world.server.listen({ port: 0, host })
      const made = await world.api('POST', `/api/v1/forms/${world.formId}/webhooks`, {
        url: 'http://127.0.0.1:9/',
      })
      expect([host, addressRules, made.status]).toEqual([host, addressRules, status])
    }
  })

  it('[HOOK-05] judges endpoints added before by the rules of now', async () => {
    const world = await createWorld()
    const { receiver, id } = await world.receive()
    world.submit()
    await world.server.clock.advance(0)
    await world.server.listen({ port: 0, host: '0.0.0.0' })
    world.submit()
    await world.server.clock.advance(0)
    expect(receiver.deliveries).toHaveLength(1)
    const [latest] = world.server.app.deliveries.list(world.formId, id)
    expect(world.server.app.deliveries.get(latest?.id ?? '').attempts[0]?.error).toBe('address_refused')
  })

  it('takes allowed hosts as people write them', async () => {
    const server = createReferenceServer({ allowedHosts: ['Formwire', 'api:8787', 'fd00::1'] })
    const ask = async (host: string) =>
      (await server.fetch('http://127.0.0.1/_app/health', { headers: { host } })).status
    expect(
      await Promise.all(['formwire:8787', 'api', 'API:1', '[fd00::1]:8787', 'fd', 'evil'].map(ask)),
    ).toEqual([200, 200, 200, 200, 403, 403])
  })
})
