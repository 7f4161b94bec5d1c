import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const questions = [{ id: 'stars', type: 'rating', title: 'How was it?' }]

/** What the packed sync must do: fill a SQLite file, with `node:sqlite` or libsql, and mark what was deleted. */
export async function check(load) {
  const sdk = await load('@formwire/sdk')
  const sync = await load('@formwire/sync')
  const { sqliteStore } = await load('@formwire/sync/sqlite')
  const { postgresStore } = await load('@formwire/sync/postgres')
  const testing = await load('@formwire/reference-server/testing')
  const directory = mkdtempSync(join(tmpdir(), 'formwire-smoke-'))
  const path = join(directory, 'responses.db')
  const kit = await testing.startFormwire()
  const store = sqliteStore(path)
  try {
    const { forms, responses } = kit.server.app
    const form = forms.create({ title: 'Feedback', questions })
    forms.publish(form.id)
    const ids = [3, 4, 5].map(
      (value) => responses.create(form.id, { answers: [{ question_id: 'stars', value }] }).id,
    )
    const formwire = new sdk.Formwire(kit.clientOptions)
    const seen = []
    const run = sync.createSync({ formwire, store, forms: 'all', onResponse: ({ id }) => void seen.push(id) })
    assert.equal((await run.once()).inserted, 3)
    await formwire.responses.delete(form.id, ids[1])
    const { inserted, deleted } = await run.once()
    assert.deepEqual({ inserted, deleted }, { inserted: 0, deleted: 1 })
    assert.deepEqual(seen.sort(), [...ids].sort())
    assert.equal(typeof postgresStore, 'function')
    await store.close()
    assert.deepEqual(
      query(path, `SELECT stars FROM formwire_form_${form.id.toLowerCase()} ORDER BY stars`),
      [3, 5],
    )
  } finally {
    await store.close()
    await kit.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Reads the first column as another program would, with the driver that the store used. */
function query(path, sql) {
  const require = createRequire(import.meta.url)
  const [major] = process.versions.node.split('.')
  const Database = Number(major) >= 22 ? require('node:sqlite').DatabaseSync : require('libsql')
  const database = new Database(path)
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0])
  } finally {
    database.close()
  }
}
