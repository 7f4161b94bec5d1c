import { type FormStatus, type RunStatus, StoreError } from '@formwire/sync'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type HealthSource, SyncHealth } from '../../src/sync/metrics-server.ts'
import { parseExposition } from '../support/exposition.ts'
import { NOON } from '../support/run-cli.ts'

const STATUS: RunStatus = {
  workspace_id: '7',
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

/** Something to watch whose status and database tests change. */
function watchable() {
  const state = { status: STATUS, now: NOON, read: async (): Promise<readonly FormStatus[]> => [] }
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
    state.status = { ...STATUS, expected_by: '2026-11-21T12:05:00.000Z' }
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
    state.status = { ...STATUS, is_started: true }
    expect(await get('/readyz')).toEqual([200, { ok: true }])
  })

  it('responds with 503 while the service or the database cannot be reached, with the code only', async () => {
    const { state, get } = watchable()
    state.status = { ...STATUS, is_started: true, outage: 'ConnectionError' }
    state.read = () => Promise.reject(new StoreError('secret', 'unavailable'))
    const reasons = [
      'the service of workspace 7 cannot be reached: ConnectionError',
      'the database cannot be reached: database_unavailable',
    ]
    expect(await get('/readyz')).toEqual([503, { ok: false, reasons }])
    state.status = { ...STATUS, is_started: true, outage: 'database_unavailable' }
    expect(await get('/readyz')).toEqual([503, { ok: false, reasons: reasons.slice(1) }])
    state.status = { ...STATUS, is_started: true }
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
    state.status = { ...STATUS, is_started: true, outage }
    expect(await get('/readyz')).toEqual([503, { ok: false, reasons: [reason] }])
  })

  it('does not wait for a database that hangs', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { state, get } = watchable()
    state.status = { ...STATUS, is_started: true }
    state.read = () => new Promise(() => undefined)
    const response = get('/readyz')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await response).toEqual([503, { ok: false, reasons: ['the database cannot be reached: timeout'] }])
  })
})

describe('GET /metrics', () => {
  it('reads the tables once in 15 seconds, and again after a failure', async () => {
    const { state, watch } = watchable()
    state.status = { ...STATUS, is_started: true }
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
