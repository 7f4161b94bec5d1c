// Without a driver, each store says which package to install. Requires a Node without node:sqlite.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Formwire } from '@formwire/sdk'
import { createSync, StoreError } from '@formwire/sync'
import { postgresStore } from '@formwire/sync/postgres'
import { sqliteStore } from '@formwire/sync/sqlite'

// A service that accepts the key: before that, a store is not opened.
const missing = { error: { code: 'not_found', message: 'No such form.' } }
const fetch = async () => Response.json(missing, { status: 404 })
const formwire = new Formwire({ apiKey: 'svc_k', baseUrl: 'http://127.0.0.1:8080', fetch })
const directory = mkdtempSync(join(tmpdir(), 'formwire-smoke-'))
try {
  for (const [store, install] of [
    [sqliteStore(join(directory, 'responses.db')), 'npm install libsql'],
    [postgresStore({ connectionString: 'postgres://127.0.0.1:1/none' }), 'npm install pg@8'],
  ]) {
    const error = await createSync({ formwire, store, forms: ['abc'] })
      .once()
      .catch((caught) => caught)
    assert.ok(error instanceof StoreError, String(error))
    assert.equal(error.code, 'no_driver')
    assert.ok(error.message.includes(install), error.message)
    await store.close()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
