import { beforeEach, describe, expect, it } from 'vitest'
import type { MockReceiver, ReferenceServer } from '../../src/index.ts'
import { createWorld } from '../delivery/world.ts'

let server: ReferenceServer
let receiver: MockReceiver
let form: string
beforeEach(async () => {
  const world = await createWorld({ now: '2026-11-21T13:00:00Z' })
  ;({ server, formId: form } = world)
  ;({ receiver } = await world.receive())
})

const health = (of = server) => of.app.webhooks.get(form, 1).health
const submit = () => server.app.responses.create(form, { answers: [], deliver: true })
/** Sends a test event to a receiver that responds with these. */
async function send(...script: string[]): Promise<void> {
  receiver.rescript(...(script as never[]))
  server.app.webhooks.test(form, 1)
  await server.clock.advance('1s')
}

describe('the health of an endpoint', () => {
  it('[HOOK-01] is unused before the first attempt has ended, and the public API does not show it', () => {
    expect(health()).toEqual({ state: 'unused', since: null, not_sent: 0 })
    expect(server.app.webhooks.all()[0]?.health).toEqual({ state: 'unused', since: null, not_sent: 0 })
    expect(server.app.webhooks.list(form)[0]).not.toHaveProperty('health')
  })

  it('fails since the first failed attempt after a success, also while all deliveries are pending', async () => {
    await send('200')
    expect(health()).toEqual({ state: 'healthy', since: null, not_sent: 0 })
    await send('500')
    await send('503')
    const statuses = server.app.deliveries.list(form, 1).map(({ status }) => status)
    expect(statuses).toEqual(['pending', 'pending', 'delivered'])
    expect(health()).toEqual({ state: 'failing', since: '2026-11-21T13:00:01.000Z', not_sent: 0 })
  })

  it('[DLV-06] is healthy after one retry that succeeds, at the same instant too', async () => {
    await send('500')
    await send('500')
    receiver.rescript('200')
    server.app.deliveries.retry(server.app.deliveries.list(form, 1)[1]?.id as string)
    await server.clock.advance('0s')
    expect(health()).toEqual({ state: 'healthy', since: null, not_sent: 0 })
  })

  it('[HOOK-07] counts the responses that a paused endpoint missed, since it was paused first', async () => {
    await send('500')
    server.app.webhooks.pause(form, 1)
    submit()
    await server.clock.advance('1h')
    server.app.webhooks.pause(form, 1)
    submit()
    server.app.responses.create(form, { answers: [] })
    expect(health()).toEqual({ state: 'paused', since: '2026-11-21T13:00:01.000Z', not_sent: 2 })
    server.app.webhooks.resume(form, 1)
    expect(health()).toEqual({ state: 'failing', since: '2026-11-21T13:00:00.000Z', not_sent: 0 })
    server.app.webhooks.pause(form, 1)
    expect(health()).toEqual({ state: 'paused', since: '2026-11-21T14:00:01.000Z', not_sent: 0 })
  })

  it('[DLV-01] counts no response that is older than the endpoint, which it never receives', () => {
    server.app.webhooks.pause(form, 1)
    const before = { answers: [], deliver: true, submitted_at: '2026-11-21T12:59:59Z' }
    server.app.responses.create(form, before)
    expect(health().not_sent).toBe(0)
  })

  it('survives a snapshot and a fork, and is read from the log of an earlier snapshot', async () => {
    await send('500')
    const fork = server.fork()
    expect(health(fork)).toEqual({ state: 'failing', since: '2026-11-21T13:00:00.000Z', not_sent: 0 })
    await fork.close()
    const snapshot = JSON.parse(JSON.stringify(server.app.snapshot.take()))
    server.app.webhooks.pause(form, 1)
    submit()
    const paused = JSON.parse(JSON.stringify(server.app.snapshot.take()))
    server.app.snapshot.restore(snapshot)
    expect(health()).toEqual({ state: 'failing', since: '2026-11-21T13:00:00.000Z', not_sent: 0 })
    server.app.snapshot.restore(paused)
    expect(health()).toEqual({ state: 'paused', since: '2026-11-21T13:00:01.000Z', not_sent: 1 })

    for (const { state } of [snapshot, paused]) {
      for (const name of ['failingSince', 'pausedAt', 'notSent']) delete state.endpoints.endpoints[0][name]
    }
    server.app.snapshot.restore(snapshot)
    expect(health()).toEqual({ state: 'failing', since: '2026-11-21T13:00:00.000Z', not_sent: 0 })
    server.app.snapshot.restore(paused)
    expect(health()).toEqual({ state: 'paused', since: null, not_sent: 0 })
  })
})
