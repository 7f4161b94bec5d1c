import { describe, expect, it } from 'vitest'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'
import { seededRandom } from '../../src/random.ts'
import { ask, openServer } from '../support/server.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const DAY_MS = 86_400_000

async function startDemo(): Promise<ReferenceServer> {
  const server = openServer({ seed: 'demo', clock: 'manual', now: NOW, random: seededRandom(7) })
  await server.ready
  return server
}

const detailsOf = ({ app }: ReferenceServer) =>
  [...app.deliveries.logs(Number.POSITIVE_INFINITY)].flat().map(({ id }) => app.deliveries.get(id))

describe('the week of the demo', () => {
  it('has a week of deliveries in every state, with every error class', async () => {
    const deliveries = detailsOf(await startDemo())
    const ages = deliveries.map(({ created_at: at }) => (NOW - Date.parse(at)) / DAY_MS)
    expect(Math.max(...ages)).toBeGreaterThan(6)
    expect(Math.max(...ages)).toBeLessThanOrEqual(7)
    expect(Math.min(...ages)).toBeLessThan(1)
    const count = (status: string) => deliveries.filter((one) => one.status === status).length
    expect(count('delivered')).toBeGreaterThan(60)
    expect(count('failed')).toBeGreaterThan(10)
    expect(count('pending')).toBeGreaterThan(0)
    const errors = new Set(deliveries.flatMap(({ attempts }) => attempts.map(({ error }) => error)))
    expect([...errors].map(String).sort().join(' ')).toBe(
      'address_refused dns http_301 http_404 http_410 http_429 http_500 http_502 http_503 null protocol refused reset timeout tls',
    )
  })

  it('is played when the log is first read, and then once', async () => {
    const server = await startDemo()
    const kept = () => server.app.snapshot.take().state.deliveries.deliveries.length
    const states = server.app.webhooks.all().map(({ health }) => health.state)
    expect(states.join(' ')).toBe('failing paused healthy paused paused')
    const played = kept()
    expect(played).toBeGreaterThan(100)
    detailsOf(server)
    expect(kept()).toBe(played)
  })

  it('comes before what was delivered before the log was read, and leaves out what was deleted', async () => {
    const server = await startDemo()
    const { app } = server
    const [whole] = (await startDemo()).app.snapshot.take().state.responses.responses.slice(-1)
    const [old] = app.webhooks.list('guestvoice01')
    app.webhooks.delete('guestvoice01', old?.id as number)
    app.forms.trash('retreatform1')
    app.responses.create('guestvoice01', { answers: [{ question_id: 'nps', value: 9 }], deliver: true })
    const deliveries = detailsOf(server)
    expect(deliveries[0]?.response_id).toBe((whole?.id as number) + 1)
    expect(new Set(deliveries.map(({ form_id: form }) => form))).toEqual(new Set(['guestvoice01']))
    expect(deliveries.map(({ webhook_id: endpoint }) => endpoint)).not.toContain(old?.id)
    const [answered] = deliveries.slice(-1)
    const again = await startDemo()
    again.app.responses.delete('guestvoice01', answered?.response_id as number)
    expect(detailsOf(again).map(({ response_id: id }) => id)).not.toContain(answered?.response_id)
  })

  it('is the same for the same clock and random source, in a snapshot, in a fork and after a reset', async () => {
    const server = await startDemo()
    const expected = detailsOf(server)
    await server.clock.advance('1d')
    await ask(server, 'POST', '/_app/reset')
    expect(detailsOf(server)).toEqual(expected)
    const unread = await startDemo()
    await using fork = unread.fork()
    expect(detailsOf(fork)).toEqual(expected)
    unread.app.snapshot.restore(unread.app.snapshot.take())
    expect(detailsOf(unread)).toEqual(expected)
  })

  it('is not played into the snapshot of another server', async () => {
    const server = await startDemo()
    await using empty = createReferenceServer({ clock: 'manual' })
    server.app.snapshot.restore(empty.app.snapshot.take())
    expect(detailsOf(server)).toEqual([])
  })

  it('sends nothing within the first seconds, and only to the built-in receiver', async () => {
    const server = await startDemo()
    const pending = detailsOf(server).filter(({ status }) => status === 'pending')
    const active = server.app.webhooks.all().filter((endpoint) => endpoint.active)
    expect(active.map(({ built_in: isBuiltIn }) => isBuiltIn)).toEqual([true, true])
    for (const { next_attempt_at: at, webhook_id: id } of pending) {
      expect(Date.parse(at as string) - NOW).toBeGreaterThan(10_000)
      expect(active.map((endpoint) => endpoint.id)).toContain(id)
    }
  })

  it('does not satisfy a wait before the log was read', async () => {
    const server = await startDemo()
    const wait = (match: object) =>
      ask(server, 'POST', '/_app/wait', { for: 'delivery', match, timeout_ms: 0 }).then(
        ({ status }) => status,
      )
    expect(await wait({})).toBe(408)
    detailsOf(server)
    expect(await wait({ status: 'delivered' })).toBe(200)
  })
})
