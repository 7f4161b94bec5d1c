import { type FormStatus, type RunStatus, StoreError } from '@formwire/sync'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { exposition, type Measured } from '../../src/sync/metrics.ts'
import { type HealthSource, SyncHealth } from '../../src/sync/metrics-server.ts'
import { parseExposition } from '../support/exposition.ts'
import { NOON } from '../support/run-cli.ts'

const STATUS: RunStatus = {
  workspace_id: '7',
  is_started: true,
  rounds: 12,
  round_ended_at: '2026-11-21T12:00:30.000Z',
  up_to_date_at: '2026-11-21T12:00:00.500Z',
  expected_by: '2026-11-21T12:06:00.000Z',
  outage: null,
  failing_forms: 1,
  errors: { rate_limited: 2, 'a "b"\\\n': 1 },
  changes: { inserted: 3, updated: 0, deleted: 1 },
  requests: { sent: 44, free: 76 },
}

const form = (id: string, rows: number, lag_seconds: number | null): FormStatus => ({
  id,
  workspace_id: '7',
  rows,
  lag_seconds,
  last_synced_at: null,
  last_error: null,
})

const MEASURED: Measured = {
  workspaces: [{ workspace: '7', status: STATUS, forms: [form('abcdefghijkl', 2, 1.5)] }],
  isDatabaseUp: true,
  isReady: true,
  version: '1.2.3',
}

const valuesOf = async (measured: Partial<Measured> = {}) => {
  const metrics = parseExposition(await exposition({ ...MEASURED, ...measured }))
  return Object.fromEntries(Object.entries(metrics).map(([name, { values }]) => [name, values]))
}

describe('the metrics of formwire sync', () => {
  it('are in the text format of Prometheus, with their values', async () => {
    expect(await valuesOf()).toEqual({
      formwire_sync_build_info: { [`{version="1.2.3",node_version="${process.versions.node}"}`]: 1 },
      formwire_sync_ready: { '': 1 },
      formwire_sync_database_up: { '': 1 },
      formwire_sync_rows: { '{workspace="7",form="abcdefghijkl"}': 2 },
      formwire_sync_lag_seconds: { '{workspace="7",form="abcdefghijkl"}': 1.5 },
      formwire_sync_forms: { '{workspace="7"}': 1 },
      formwire_sync_rounds_total: { '{workspace="7"}': 12 },
      formwire_sync_last_success_timestamp_seconds: { '{workspace="7"}': 1_795_262_400.5 },
      formwire_sync_failing_forms: { '{workspace="7"}': 1 },
      formwire_sync_errors_total: {
        '{workspace="7",code="rate_limited"}': 2,
        '{workspace="7",code="a \\"b\\"\\\\\\n"}': 1,
      },
      formwire_sync_changes_total: {
        '{workspace="7",kind="inserted"}': 3,
        '{workspace="7",kind="updated"}': 0,
        '{workspace="7",kind="deleted"}': 1,
      },
      formwire_sync_requests_total: { '{workspace="7"}': 44 },
      formwire_sync_budget_free_requests: { '{workspace="7"}': 76 },
    })
  })

  it('leave out what is not known', async () => {
    const status = { ...STATUS, up_to_date_at: null, requests: { sent: 0, free: null } }
    const workspaces = [{ workspace: '7', status, forms: undefined }]
    const values = await valuesOf({ workspaces, isDatabaseUp: false })
    for (const name of ['rows', 'lag_seconds', 'last_success_timestamp_seconds', 'budget_free_requests'])
      expect(values[`formwire_sync_${name}`]).toEqual({})
    expect(values.formwire_sync_database_up).toEqual({ '': 0 })
    const unlisted = { workspace: '7', status: { ...STATUS, rounds: 0 }, forms: [] }
    expect((await valuesOf({ workspaces: [unlisted] })).formwire_sync_forms).toEqual({})
    const empty = { ...unlisted, status: { ...STATUS, rounds: 1 } }
    expect((await valuesOf({ workspaces: [empty] })).formwire_sync_forms).toEqual({ '{workspace="7"}': 0 })
  })

  it('have series of their own for the 200 largest forms of a workspace, and one for the others', async () => {
    const forms = Array.from({ length: 203 }, (_, index) =>
      form(`form-${index}`, index, index === 0 ? null : 100 - index),
    )
    const workspaces = [
      { workspace: '7', status: STATUS, forms },
      { workspace: '8', status: STATUS, forms: [form('theirs', 1, null)] },
    ]
    const values = await valuesOf({ workspaces })
    const rows = values.formwire_sync_rows ?? {}
    expect(Object.keys(rows)).toHaveLength(202)
    expect(rows['{workspace="7",form="form-3"}']).toBe(3)
    expect(rows['{workspace="7",form="form-2"}']).toBeUndefined()
    expect(rows['{workspace="7",form="other"}']).toBe(3)
    expect(values.formwire_sync_lag_seconds?.['{workspace="7",form="other"}']).toBe(99)
    expect(rows['{workspace="8",form="theirs"}']).toBe(1)
    expect(values.formwire_sync_forms).toEqual({ '{workspace="7"}': 203, '{workspace="8"}': 1 })
  })

  it('have the queue of a fleet', async () => {
    const queue = { queued: 4, active: 3, retrying: 2, failed: 1, oldest_seconds: 60 }
    expect(await valuesOf({ queue })).toMatchObject({
      formwire_sync_queue_jobs: { '{state="queued"}': 4, '{state="active"}': 3, '{state="retrying"}': 2 },
      formwire_sync_queue_oldest_seconds: { '': 60 },
      formwire_sync_queue_dead_letters: { '': 1 },
    })
  })
})

const IDLE: RunStatus = { ...STATUS, is_started: false, expected_by: null, failing_forms: 0 }

/** Something to watch whose status and database tests change. */
function watchable() {
  const state = { status: IDLE, now: NOON, read: async (): Promise<readonly FormStatus[]> => [] }
  const watched: HealthSource = {
    workspaces: () => [{ workspace: '7', status: state.status, forms: () => state.read() }],
    ping: () => state.read(),
  }
  const watch = new SyncHealth(watched, () => state.now)
  const get = async (path: string): Promise<unknown> => {
    const response = await watch.respond(path)
    return response && [response.status, JSON.parse(response.body)]
  }
  return { state, get, watch }
}

describe('GET /healthz', () => {
  it('responds with 503 once nothing has moved for longer than expected', async () => {
    const { state, get } = watchable()
    expect(await get('/healthz')).toEqual([200, { ok: true }])
    state.status = { ...IDLE, expected_by: '2026-11-21T12:05:00.000Z' }
    state.now = NOON + 300_000
    expect(await get('/healthz')).toEqual([200, { ok: true }])
    state.now += 1
    const reasons = ['workspace 7 should have moved by 2026-11-21T12:05:00.000Z']
    expect(await get('/healthz')).toEqual([503, { ok: false, reasons }])
  })

  it('does not depend on the database', async () => {
    const { state, get } = watchable()
    state.read = () => Promise.reject(new Error())
    expect(await get('/healthz')).toEqual([200, { ok: true }])
  })
})

describe('GET /readyz', () => {
  it('responds with 503 until the first round has ended', async () => {
    const { state, get } = watchable()
    const reasons = ['the first round of workspace 7 has not ended']
    expect(await get('/readyz')).toEqual([503, { ok: false, reasons }])
    state.status = { ...IDLE, is_started: true }
    expect(await get('/readyz')).toEqual([200, { ok: true }])
  })

  it('responds with 503 while the service or the database cannot be reached, with the code only', async () => {
    const { state, get } = watchable()
    state.status = { ...IDLE, is_started: true, outage: 'ConnectionError' }
    state.read = () => Promise.reject(new StoreError('secret', 'unavailable'))
    const reasons = [
      'the service of workspace 7 cannot be reached: ConnectionError',
      'the database cannot be reached: database_unavailable',
    ]
    expect(await get('/readyz')).toEqual([503, { ok: false, reasons }])
    state.status = { ...IDLE, is_started: true, outage: 'database_unavailable' }
    expect(await get('/readyz')).toEqual([503, { ok: false, reasons: reasons.slice(1) }])
    state.status = { ...IDLE, is_started: true }
    state.read = () => Promise.reject(new Error('secret'))
    const unknown = ['the database cannot be reached: database_error']
    expect(await get('/readyz')).toEqual([503, { ok: false, reasons: unknown }])
  })

  it.each([
    ['unauthorized', 'the service rejects the key of workspace 7: unauthorized'],
    ['forbidden', 'the service rejects the key of workspace 7: forbidden'],
    ['foreign_page', 'a proxy responds instead of the service of workspace 7: foreign_page'],
    ['server_error', 'the service of workspace 7 fails: server_error'],
    ['database_locked', 'the database cannot be reached: database_locked'],
    ['database_other_workspace', 'workspace 7 cannot use the database: database_other_workspace'],
  ])('[AUTH-12] says what %s means, and for which workspace', async (outage, reason) => {
    const { state, get } = watchable()
    state.status = { ...IDLE, is_started: true, outage }
    expect(await get('/readyz')).toEqual([503, { ok: false, reasons: [reason] }])
  })

  it('does not wait for a database that hangs', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { state, get } = watchable()
    state.status = { ...IDLE, is_started: true }
    state.read = () => new Promise(() => undefined)
    const response = get('/readyz')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await response).toEqual([503, { ok: false, reasons: ['the database cannot be reached: timeout'] }])
  })
})

describe('GET /metrics', () => {
  it('reads the tables once in 15 seconds, and again after a failure', async () => {
    const { state, watch } = watchable()
    state.status = { ...IDLE, is_started: true }
    let reads = 0
    const fine = async () => {
      reads += 1
      return []
    }
    const upOf = async () => {
      const response = await watch.respond('/metrics')
      expect(response?.contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
      const { formwire_sync_database_up: up, formwire_sync_ready: ready } = parseExposition(
        response?.body ?? '',
      )
      return [up?.values[''], ready?.values['']]
    }
    state.read = fine
    expect(await Promise.all([upOf(), upOf()])).toEqual([
      [1, 1],
      [1, 1],
    ])
    state.now += 14_999
    expect([await upOf(), reads]).toEqual([[1, 1], 1])
    state.now += 1
    expect([await upOf(), reads]).toEqual([[1, 1], 2])
    state.now += 15_000
    state.read = () => Promise.reject(new StoreError('', 'unavailable'))
    expect(await upOf()).toEqual([0, 0])
    state.read = fine
    expect([await upOf(), reads]).toEqual([[1, 1], 3])
  })

  it('has no response for other paths', async () => {
    expect(await watchable().watch.respond('/')).toBeUndefined()
  })
})
