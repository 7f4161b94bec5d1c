import type { FormStatus, RunStatus } from '@formwire/sync'
import { describe, expect, it } from 'vitest'
import { exposition, type Measured } from '../../src/sync/metrics.ts'
import { parseExposition } from '../support/exposition.ts'

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
