import { expect, it } from 'vitest'
import type { StoreSuite } from './suite.ts'

/** Tables of earlier versions and of others. */
export function describeTables(suite: StoreSuite): void {
  it('creates nothing before the service has accepted the key', async () => {
    const formwire = suite.service.client({ apiKey: `svc_${'x'.repeat(40)}` })
    for (const forms of ['all', suite.service.form()]) {
      await expect(suite.sync(forms, { formwire }).once()).rejects.toMatchObject({ status: 401 })
      await expect(suite.sync(forms, { formwire }).run()).rejects.toMatchObject({ status: 401 })
    }
    await expect(suite.database.query('SELECT id FROM formwire_forms')).rejects.toThrow('formwire_forms')
  })

  it('upgrades tables of version 1, and completes the rows that were pending', async () => {
    const form = suite.service.form()
    const [id] = suite.service.add(form, 1) as [number]
    await suite.sync(form).once()
    for (const statement of [
      'DROP INDEX formwire_responses_pending',
      'DROP TABLE formwire_sync_settled',
      'CREATE TABLE formwire_sync_pending (form_id TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (form_id, id))',
      `INSERT INTO formwire_sync_pending VALUES ('${form}', ${id})`,
      ...['slice', 'seen', 'synced_at', 'error', 'error_at'].map(
        (name) => `ALTER TABLE formwire_sync_state DROP COLUMN ${name}`,
      ),
      'ALTER TABLE formwire_sync_views DROP COLUMN typed',
      'ALTER TABLE formwire_sync_version DROP COLUMN workspace_id',
      'UPDATE formwire_sync_version SET version = 1',
    ])
      await suite.database.query(statement)
    expect(await suite.sync(form).once()).toMatchObject({ inserted: 0, updated: 1 })
    expect(await suite.database.query('SELECT version FROM formwire_sync_version')).toEqual([
      { version: suite.database.store().dialect.name === 'postgres' ? '6' : 6 },
    ])
    expect(await suite.sync(form).once()).toMatchObject({ inserted: 0, updated: 0 })
  })

  it('is used beside what is in the database, and refuses tables that are not its own', async () => {
    const form = suite.service.form()
    await suite.database.query('CREATE TABLE mine (id INTEGER)')
    await suite.sync(form).once()
    await suite.database.query('DROP TABLE formwire_sync_settled')
    await expect(suite.sync(form).once()).rejects.toThrow(
      'The table "formwire_sync_settled" is missing or incomplete',
    )
  })
}
