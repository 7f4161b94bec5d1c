import { expect, it } from 'vitest'
import { SyncUsageError } from '../src/index.ts'
import { postgresStore } from '../src/postgres/index.ts'
import { sqliteStore } from '../src/sqlite/index.ts'

it('refuses an unknown option of a store, and names it', () => {
  const options = { path: 'responses.db', journal: 'wal' }
  expect(() => sqliteStore(options)).toThrow(SyncUsageError)
  expect(() => sqliteStore(options)).toThrow('sqliteStore(): unknown name "journal"')
  const connection = { url: 'postgres://localhost' }
  expect(() => postgresStore(connection as object)).toThrow('postgresStore(): unknown name "url"')
})

it.each([{ path: '' }, { path: undefined }, { path: null }])(
  'refuses $path for the path of a SQLite file',
  ({ path }) => {
    expect(() => sqliteStore(path as string)).toThrow(
      'sqliteStore() requires the path of a database file, such as "responses.db".',
    )
  },
)
