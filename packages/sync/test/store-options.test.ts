import { expect, it } from 'vitest'
import { createSync, StoreError, SyncUsageError } from '../src/index.ts'
import { postgresStore } from '../src/postgres/index.ts'
import { sqliteStore } from '../src/sqlite/index.ts'
import { startService } from './support/service.ts'

it('refuses an unknown option of a store, and names it', () => {
  const options = { path: 'responses.db', journal: 'wal' }
  expect(() => sqliteStore(options)).toThrow(SyncUsageError)
  expect(() => sqliteStore(options)).toThrow('sqliteStore(): unknown name "journal"')
  const connection = { url: 'postgres://localhost' }
  expect(() => postgresStore(connection as object)).toThrow('postgresStore(): unknown name "url"')
})

it('refuses a size of the pool that is none, or that a pool of your own has', () => {
  for (const poolSize of [0, 1.5, -1, Number.NaN, '4'])
    expect(() => postgresStore({ poolSize: poolSize as number })).toThrow(
      '"poolSize" must be a positive integer',
    )
  expect(() => postgresStore({ pool: {} as never, poolSize: 4 })).toThrow(
    '"poolSize" cannot be used with "pool": set the size of your pool.',
  )
})

it('refuses a value of prepare that is not a boolean', () => {
  expect(() => postgresStore({ prepare: 'no' as never })).toThrow(
    '"prepare" must be true or false, got "no".',
  )
})

it.each([{ path: '' }, { path: undefined }, { path: null }])(
  'refuses $path for the path of a SQLite file',
  ({ path }) => {
    expect(() => sqliteStore(path as string)).toThrow(
      'sqliteStore() requires the path of a database file, such as "responses.db".',
    )
  },
)

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
