import { afterAll, beforeAll, describe } from 'vitest'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

/** Describes tests on a server that they share. `url` is for use within a test. */
export function describeOnPostgres(tests: (url: () => string) => void): void {
  describe('on a server of its own', () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server?.stop())
    tests(() => server.url)
  })
}
