import { expect, it } from 'vitest'
import { createSync, StoreError, SyncUsageError } from '../src/index.ts'
import { postgresStore } from '../src/postgres/index.ts'
import { sqliteStore } from '../src/sqlite/index.ts'
import { startService } from './support/service.ts'

const PATH = 'sqliteStore() requires the path of a database file, such as "responses.db".'
const POSTGRES =
  'postgresStore(): unknown name "url"; use one of connectionString, pool, schema, poolSize, prepare, transactionIdleMs.'
const SIZE = '"poolSize" must be a positive integer, got'

it.each<[open: (options: never) => unknown, options: object, message: string]>([
  [
    sqliteStore,
    { path: 'responses.db', journal: 'wal' },
    'sqliteStore(): unknown name "journal"; use one of path.',
  ],
  [sqliteStore, { path: '' }, PATH],
  [sqliteStore, { path: undefined }, PATH],
  [sqliteStore, { path: null }, PATH],
  [postgresStore, { url: 'postgres://localhost' }, POSTGRES],
  ...[0, 1.5, -1, Number.NaN].map((poolSize): [typeof postgresStore, object, string] => [
    postgresStore,
    { poolSize },
    `${SIZE} ${poolSize}.`,
  ]),
  [postgresStore, { poolSize: '4' }, `${SIZE} "4".`],
  [
    postgresStore,
    { pool: {}, poolSize: 4 },
    '"poolSize" cannot be used with "pool": set the size of your pool.',
  ],
  [postgresStore, { prepare: 'no' }, '"prepare" must be true or false, got "no".'],
])('refuses what is wrong with the options of %o: %o', (open, options, message) => {
  expect(() => open(options as never)).toThrow(new SyncUsageError(message))
})

it('refuses an unknown option of a run, and options that contradict each other', async () => {
  const service = await startService()
  const given = { formwire: service.client(), store: sqliteStore('responses.db'), forms: 'all' } as const
  const sync = createSync(given)
  for (const run of [sync.once, sync.run])
    await expect(run({ drafts: true } as object)).rejects.toThrow('unknown name "drafts"; use one of verify.')
  expect(() => createSync({ ...given, deletions: false, deleted: 'erase' })).toThrow(SyncUsageError)
  await service.server.close()
})

it('reports a missing driver before any request', async () => {
  const service = await startService()
  const store = sqliteStore('responses.db')
  store.load = () => Promise.reject(new StoreError('no driver', 'no_driver'))
  for (const method of ['once', 'run'] as const) {
    const sync = createSync({ formwire: service.client(), store, forms: 'all' })
    await expect(sync[method]()).rejects.toThrow('no driver')
  }
  expect(service.requests).toBe(0)
  await service.server.close()
})
