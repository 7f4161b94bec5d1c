import { afterEach, describe, expect, it } from 'vitest'
import {
  createMockReceiver,
  createReferenceServer,
  type MockReceiver,
  type ReferenceServer,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/receiver/index.ts'

let server: ReferenceServer
let receivers: MockReceiver[] = []
afterEach(async () => {
  await server.close()
  for (const receiver of receivers) await receiver.close()
  receivers = []
})

/** A form with one endpoint per script. The clock starts in the middle of a bucket of every span. */
async function start(...scripts: ScriptStep[][]): Promise<string> {
  server = createReferenceServer({ clock: 'manual', now: '2026-11-21T13:31:00Z' })
  const form = server.app.forms.publish(server.app.forms.create({ title: 'Survey' }).id)
  for (const script of scripts) {
    const receiver = await createMockReceiver({ script }).listen()
    receivers.push(receiver)
    await server.app.webhooks.create(form.id, { url: receiver.url })
  }
  return form.id
}

describe('the overview of deliveries', () => {
  it('counts deliveries by outcome and time, and attempts by error class', async () => {
    const form = await start(['200', '500', '404'], ['503', '503', '503', '503', '503', '503', '503'])
    server.app.responses.create(form, { answers: [], deliver: true })
    await server.clock.advance('6h')
    server.app.webhooks.test(form, 1)
    await server.clock.advance('30s')

    const overview = server.app.deliveries.overview('24h')
    expect(overview).toMatchObject({
      span: '24h',
      from: '2026-11-20T20:00:00.000Z',
      to: '2026-11-21T20:00:00.000Z',
      bucket_seconds: 3600,
      is_partial: false,
      delivered: 1,
      pending: 2,
      failed: 0,
      retrying: 2,
      attempts: 7,
      failed_attempts: 6,
      errors: [
        { error: 'http_503', attempts: 5 },
        { error: 'http_500', attempts: 1 },
      ],
      endpoints: [
        { webhook_id: 1, form_id: form, delivered: 1, pending: 1, failed: 0, last_error: 'http_500' },
        { webhook_id: 2, form_id: form, delivered: 0, pending: 1, failed: 0, last_error: 'http_503' },
      ],
    })
    expect(overview.buckets).toHaveLength(24)
    expect(overview.buckets.filter((bucket) => bucket.delivered + bucket.pending > 0)).toEqual([
      { at: '2026-11-21T13:00:00.000Z', delivered: 1, pending: 1, failed: 0 },
      { at: '2026-11-21T19:00:00.000Z', delivered: 0, pending: 1, failed: 0 },
    ])
    expect(overview.p50_ms).toBeGreaterThan(0)
    expect(overview.p95_ms).toBeGreaterThanOrEqual(overview.p50_ms as number)
  })

  it('leaves out what is older than the span, and is empty without deliveries', async () => {
    const form = await start([])
    expect(server.app.deliveries.overview()).toMatchObject({
      span: '7d',
      delivered: 0,
      attempts: 0,
      p50_ms: null,
      p95_ms: null,
      endpoints: [],
      errors: [],
    })
    server.app.webhooks.test(form, 1)
    await server.clock.advance('2h')
    expect(server.app.deliveries.overview('1h').delivered).toBe(0)
    expect(server.app.deliveries.overview('24h').delivered).toBe(1)
    await server.clock.advance('40d')
    expect(server.app.deliveries.overview('30d').delivered).toBe(0)
  })

  it('lists endpoints whose latest attempt failed first', async () => {
    const form = await start(['200'], ['200', '500'], ['500', '200'])
    for (let turn = 0; turn < 2; turn++) {
      server.app.responses.create(form, { answers: [], deliver: true })
      await server.clock.advance('10s')
    }
    const { endpoints } = server.app.deliveries.overview()
    expect(endpoints.map(({ webhook_id: id, last_error: error }) => [id, error])).toEqual([
      [2, 'http_500'],
      [3, null],
      [1, null],
    ])
  })

  it('changes with every delivery, and is kept while nothing changes', async () => {
    const form = await start(['200'])
    const empty = server.app.deliveries.overview()
    expect(server.app.deliveries.overview()).toBe(empty)
    server.app.webhooks.test(form, 1)
    await server.clock.advance('1s')
    expect(server.app.deliveries.overview().delivered).toBe(1)
    server.app.webhooks.delete(form, 1)
    expect(server.app.deliveries.overview().delivered).toBe(0)
    server.app.reset()
    expect(server.app.deliveries.overview()).toEqual(empty)
  })
})
