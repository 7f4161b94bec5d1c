import { describe, expect, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { createReferenceServer } from '../../src/index.ts'
import { createWorld, START } from '../delivery/world.ts'
import { deferred } from '../support/deferred.ts'

const HOUR = 3_600_000
/** A receiver that holds every request until it is told to answer 500. */
async function holding(): Promise<{ url: string; reached: Promise<void>; letGo: () => void }> {
  const { promise: gone, resolve: letGo } = deferred()
  const { promise: reached, resolve: hear } = deferred()
  const url = await serve((_request, response) => {
    hear()
    void gone.then(() => response.writeHead(500).end())
  })
  return { url, reached, letGo }
}

describe('the whole state, clock included', () => {
  it('[DLV-06] sets the clock to its start on a reset during an advance', async () => {
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

  it('[DLV-06] restores the instant of a snapshot, so that pending deliveries are due as before', async () => {
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

  it('keeps the clock when the instant of a snapshot is unreadable', async () => {
    const world = await createWorld()
    const { data } = (await world.control('GET', '/_app/snapshot')).body
    await world.server.clock.advance('1h')
    const put = await world.control('PUT', '/_app/snapshot', { ...data, taken_at: 'yesterday' })
    expect([put.status, world.server.clock.now()]).toEqual([200, START + HOUR])
  })
})

describe('instants', () => {
  it('reads a start without a zone as UTC, whatever the local time zone', () => {
    const now = (text: string) => createReferenceServer({ clock: 'manual', now: text }).clock.now()
    expect(now('2026-11-21T09:30')).toBe(START)
    expect(now('2026-11-21T11:30:00+02:00')).toBe(START)
    expect(() => now('Nov 21, 2026')).toThrow('now must be an ISO 8601 date-time')
  })

  it('[ENV-05] refuses instants outside the years of four digits', async () => {
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

describe('the address rules of a server on the network', () => {
  it('[HOOK-04] applies the production rules when listening on other than loopback, unless the option is set', async () => {
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

  it('[HOOK-05] applies the current rules to endpoints added before', async () => {
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
})
