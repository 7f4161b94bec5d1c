import { Formwire } from '@formwire/sdk'
import { describe, expect, it } from 'vitest'
import { createSync, type RunStatus } from '../../src/index.ts'
import { codeOf } from '../../src/watch/activity.ts'
import { followRounds } from '../support/follow-rounds.ts'
import { clockOf, eventOf, startService } from '../support/service.ts'
import { sqliteDatabase } from '../support/stores.ts'

const NOTHING: RunStatus = {
  workspace_id: null,
  is_started: false,
  rounds: 0,
  round_ended_at: null,
  up_to_date_at: null,
  expected_by: null,
  outage: null,
  failing_forms: 0,
  errors: {},
  changes: { inserted: 0, updated: 0, deleted: 0 },
  requests: { sent: 0, free: null },
}

describe('status()', () => {
  it('follows rounds, changes, requests and forms that fail', async () => {
    const service = await startService()
    const { app } = service.server
    const [broken, well] = [service.form('Broken'), service.form('Well')]
    const ids = service.add(well, 3)
    const statuses: RunStatus[] = []
    let fault = app.faults.add({ path: `/api/v1/forms/${broken}/responses`, status: 503 }).id
    await followRounds(service, 4, {
      formwire: service.client({ maxRetries: 0 }),
      random: () => 1,
      between(round, sync) {
        statuses.push(sync.status())
        if (round === 0) {
          app.faults.remove(fault)
          app.responses.delete(well, ids[0] as number)
        }
        if (round === 1) fault = app.faults.add({ path: '/api/v1/forms', status: 500, times: 1 }).id
      },
    })
    expect(statuses).toEqual([
      {
        ...NOTHING,
        workspace_id: '1',
        is_started: true,
        rounds: 1,
        round_ended_at: '2026-11-21T12:00:00.000Z',
        // The form is tried again after 1, 2, 4 and 8 s, and then in the next round.
        expected_by: '2026-11-21T12:05:30.000Z',
        failing_forms: 1,
        errors: { http_503: 5 },
        changes: { inserted: 3, updated: 0, deleted: 0 },
        requests: { sent: 8, free: null },
      },
      {
        ...NOTHING,
        workspace_id: '1',
        is_started: true,
        rounds: 2,
        round_ended_at: '2026-11-21T12:00:30.000Z',
        expected_by: '2026-11-21T12:06:00.000Z',
        errors: { http_503: 5 },
        changes: { inserted: 3, updated: 0, deleted: 1 },
        requests: { sent: 14, free: null },
      },
      expect.objectContaining({
        rounds: 3,
        up_to_date_at: '2026-11-21T12:01:01.000Z',
        outage: null,
        errors: { http_503: 5, server_error: 1 },
      }),
    ])
  })

  it('names what everything waits for, and by when it should have moved', async () => {
    const service = await startService()
    service.filled(1)
    const database = sqliteDatabase()
    const statuses: RunStatus[] = []
    const stop = new AbortController()
    const faults = service.server.app.faults
    faults.add({ status: 503, times: 1 })
    const sync = createSync({
      formwire: service.client({ maxRetries: 0 }),
      store: database.store(),
      forms: 'all',
      signal: stop.signal,
      random: () => 1,
      clock: clockOf(service, () => {
        statuses.push(sync.status())
        if (statuses.length === 2) stop.abort()
      }),
    })
    expect(sync.status()).toEqual(NOTHING)
    await sync.run()
    expect(statuses).toMatchObject([
      { rounds: 0, outage: 'http_503', expected_by: '2026-11-21T12:05:01.000Z' },
      { rounds: 1, outage: null, up_to_date_at: '2026-11-21T12:00:00.000Z' },
    ])
    // It has ended.
    expect(sync.status()).toMatchObject({ expected_by: null, errors: { http_503: 1 } })
    await database.close()
  })

  it('counts what webhooks bring, and the error that ends the work', async () => {
    const service = await startService()
    const form = service.form()
    const database = sqliteDatabase()
    const formwire = service.client()
    const sync = createSync({ formwire, store: database.store(), forms: [form] })
    await sync.handlers['response.submitted'](eventOf(form, 9))
    expect(sync.status()).toMatchObject({ changes: { inserted: 1 }, expected_by: null, workspace_id: '1' })
    await database.close()
    await expect(sync.once()).rejects.toThrow()
    expect(sync.status()).toMatchObject({ errors: { database_closed: 1 }, outage: 'database_closed' })
  })
})

it.each([
  [401, 'foreign_page'],
  [403, 'foreign_page'],
  [404, 'foreign_page'],
  [302, 'foreign_page'],
  [502, 'http_502'],
])(
  '[ENV-03] takes a page of a proxy with %i for no statement of the service, but for %s',
  async (status, code) => {
    const fetch = async (): Promise<Response> => new Response('<h1>Sign in</h1>', { status })
    const client = new Formwire({ apiKey: 'svc_key', fetch, rateLimit: false, maxRetries: 0 })
    expect(codeOf(await client.me().catch((error: unknown) => error))).toBe(code)
  },
)
