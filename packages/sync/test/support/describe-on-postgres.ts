import { afterAll, beforeAll, describe } from 'vitest'
import { type PostgresServer, postgresBin, startPostgres } from './postgres-server.ts'

/** Describes tests on a server that they share. Skips them if PostgreSQL is not installed. `url` is for use within a test. */
export function describeOnPostgres(tests: (url: () => string) => void): void {
  const bin = postgresBin()
  describe.skipIf(!bin)('on a server of its own', () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres(bin as string)
    })
    afterAll(() => server?.stop())
    tests(() => server.url)
  })
}
