import { expect, it } from 'vitest'
import { type FormStatus, readSyncStatus } from '../../src/status.ts'
import { eventOf } from '../support/service.ts'
import type { StoreSuite } from './suite.ts'

/** How far each form is, as `sync status` prints it. */
export function describeStatus(suite: StoreSuite): void {
  const status = () => readSyncStatus(suite.database.store()).then(({ forms }) => forms)

  it('refuses a database before the first synchronization, and creates nothing', async () => {
    await expect(status()).rejects.toMatchObject({ code: 'refused' })
    await expect(suite.query('SELECT id FROM formwire_forms')).rejects.toThrow('formwire_forms')
  })

  it('shows rows, lag, the last reading and the last error of each form', async () => {
    const [large, empty] = [suite.service.form('Large'), suite.service.form('Empty')]
    suite.service.add(large, 3)
    suite.service.add(large, 1, () => '2026-11-21T11:59:55.500Z')
    suite.service.server.app.responses.create(large, { status: 'in_progress' })
    const sync = suite.sync('all', { drafts: true, formwire: suite.service.client({ maxRetries: 0 }) })
    await sync.once()
    const NOON = '2026-11-21T12:00:00.000Z'
    const ofLarge = {
      workspace_id: '1',
      id: large,
      rows: 4,
      lag_seconds: 4.5,
      last_synced_at: NOON,
      last_error: null,
    }
    const ofEmpty = { ...ofLarge, id: empty, rows: 0, lag_seconds: null }
    const both = (...forms: FormStatus[]) => forms.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    expect(await status()).toEqual(both(ofLarge, ofEmpty))

    await suite.service.server.clock.advance('1h')
    const path = `/api/v1/forms/${large}/responses`
    const fault = suite.service.server.app.faults.add({ path, status: 503 })
    await expect(sync.once()).rejects.toMatchObject({ status: 503 })
    const LATER = '2026-11-21T13:00:00.000Z'
    const failed = { ...ofLarge, last_error: 'http_503' }
    expect(await status()).toEqual(both(failed, { ...ofEmpty, last_synced_at: LATER }))
    expect(await suite.query('SELECT error_at FROM formwire_sync_state WHERE error IS NOT NULL')).toEqual([
      { error_at: LATER },
    ])

    suite.service.server.app.faults.remove(fault.id)
    await sync.once()
    expect(await status()).toEqual(
      both({ ...ofLarge, last_synced_at: LATER }, { ...ofEmpty, last_synced_at: LATER }),
    )
    suite.service.server.app.forms.trash(large)
    await sync.once()
    expect(await status()).toEqual([{ ...ofEmpty, last_synced_at: LATER }])
  })

  it('shows a form whose responses only came by webhook', async () => {
    const form = suite.service.form()
    const event = eventOf(form, 7, { submitted_at: '2026-11-21T11:59:59Z' })
    await suite.sync('all').handlers['response.submitted'](event)
    expect(await status()).toEqual([
      { workspace_id: '1', id: form, rows: 1, lag_seconds: 1, last_synced_at: null, last_error: null },
    ])
  })

  it('records that a form is equal after a search for deletions, and after a full read', async () => {
    const form = suite.service.form()
    const ids = suite.service.add(form, 130)
    const sync = suite.sync(form)
    const at = async () => (await status())[0]?.last_synced_at
    await sync.once()
    await suite.service.server.clock.advance('1h')
    suite.service.server.app.responses.delete(form, ids[3] as number)
    await sync.once()
    expect(await at()).toBe('2026-11-21T13:00:00.000Z')
    await suite.service.server.clock.advance('1h')
    await sync.once({ verify: true })
    expect(await at()).toBe('2026-11-21T14:00:00.000Z')
  })
}
