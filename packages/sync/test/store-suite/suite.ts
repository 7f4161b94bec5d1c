import { afterEach, beforeEach } from 'vitest'
import { createSync, type Sync, type SyncOptions } from '../../src/index.ts'
import { type Service, startService } from '../support/service.ts'
import type { TestDatabase } from '../support/stores.ts'

/** What the tests of every store share: a service and an empty database for each test. */
export interface StoreSuite {
  readonly service: Service
  readonly database: TestDatabase
  readonly query: TestDatabase['query']
  /** The time of the service, without timers. */
  clock(): NonNullable<SyncOptions<unknown>['clock']>
  // biome-ignore lint/suspicious/noExplicitAny: the suite runs on every store
  sync(formId: string | 'all', options?: Partial<SyncOptions<any>>): Sync
  /** Ids of the rows that are not deleted. */
  live(formId: string, status?: string): Promise<number[]>
}

/** Starts a service and creates a database before each test of the block. */
export function useStore(createDatabase: () => Promise<TestDatabase> | TestDatabase): StoreSuite {
  let service: Service
  let database: TestDatabase
  beforeEach(async () => {
    service = await startService()
    database = await createDatabase()
  })
  afterEach(() => database.close())
  const suite: StoreSuite = {
    get service() {
      return service
    },
    get database() {
      return database
    },
    query: (...statement) => database.query(...statement),
    clock: () => ({ now: () => service.server.clock.now(), setTimer: () => () => undefined }),
    sync: (formId, options = {}) =>
      createSync({
        formwire: service.client(),
        store: database.store(),
        forms: formId === 'all' ? formId : [formId],
        clock: suite.clock(),
        ...options,
      }),
    async live(formId, status = 'submitted') {
      const rows = await database.query(
        'SELECT id FROM formwire_responses WHERE form_id = ? AND status = ? AND deleted_at IS NULL ORDER BY id',
        [formId, status],
      )
      return rows.map(({ id }) => Number(id))
    },
  }
  return suite
}
