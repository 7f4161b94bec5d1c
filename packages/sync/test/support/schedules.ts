import type { Formwire } from '@formwire/sdk'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { SyncStore } from '../../src/index.ts'
import type { Lifetime } from './crash.ts'
import { type Service, startService } from './service.ts'
import { type TestDatabase, withOutbox } from './stores.ts'

type CreateDatabase = () => Promise<TestDatabase> | TestDatabase

/** Draws schedules, and runs each of them against a service of its own and a database that all of them share. */
export function describeDrawn<Schedule extends { unspecified: object }>(
  name: string,
  createDatabase: CreateDatabase,
  given: {
    title: string
    runs: number
    schedule: fc.Arbitrary<Schedule>
    // biome-ignore lint/suspicious/noExplicitAny: the transaction is that of either store
    run(service: Service, database: TestDatabase, store: SyncStore<any>, chosen: Schedule): Promise<void>
  },
): void {
  const { title, runs, schedule, run } = given
  describe(name, () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await withOutbox(createDatabase())
    })
    afterAll(() => database.close())

    it(title, async () => {
      const store = database.store()
      const property = fc.asyncProperty(schedule, async (chosen) => {
        const service = await startService({ unspecified: chosen.unspecified })
        try {
          await run(service, database, store, chosen)
        } finally {
          await service.server.close()
        }
      })
      await fc.assert(property, { numRuns: runs })
    })
  })
}

/** A client whose process may die before or after each request. */
export const mortalClient = (
  service: Service,
  life: Lifetime,
  before?: (request: Request) => Promise<void> | void,
): Formwire =>
  service.client({
    maxRetries: 0,
    fetch: async (...[input, init]: Parameters<typeof fetch>) => {
      life.step()
      const request = new Request(input, init)
      await before?.(request)
      const response = await service.server.fetch(request)
      life.step()
      return response
    },
  })
