import { afterAll, beforeAll, describe } from 'vitest'
import { type PostgresServer, pg, startPostgres } from './postgres-server.ts'

/** Starts a server for the tests of a block, with a pool. Both are for use within a test. */
export function usePostgres() {
  let server: PostgresServer
  let pool: import('pg').Pool
  beforeAll(async () => {
    server = await startPostgres()
    pool = new pg.Pool({ connectionString: server.url })
    // The server ends before its idle connections are closed.
    pool.on('error', () => undefined)
  })
  afterAll(async () => {
    await pool?.end()
    await server?.stop()
  })
  return {
    get server() {
      return server
    },
    get pool() {
      return pool
    },
  }
}

/** Describes tests on a server that they share. `url` is for use within a test. */
export function describeOnPostgres(tests: (url: () => string) => void): void {
  describe('on a server of its own', () => {
    const postgres = usePostgres()
    tests(() => postgres.server.url)
  })
}
