import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WAIT_MS } from '../../../test/support/patience.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { createSync, type StoreError } from '../src/index.ts'
import { postgresStore } from '../src/postgres/index.ts'
import { queryOnce, startPostgres, startStandby } from './support/postgres-server.ts'
import { startService } from './support/service.ts'

describe('a standby', () => {
  it('is written to once it is promoted, by a run that found it read-only before', {
    timeout: 120_000,
  }, async () => {
    const primary = await startPostgres()
    onTestFinished(() => primary.stop())
    const standby = await startStandby(primary)
    onTestFinished(() => standby.stop())
    // What a name, a proxy or a virtual address does: the same URL leads to another server.
    const current = join(temporaryDirectory(), 'current')
    symlinkSync(primary.folder, current)
    const store = postgresStore({
      connectionString: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(current)}`,
    })
    const service = await startService()
    const form = service.filled(3)
    const stop = new AbortController()
    const causes: unknown[] = []
    const sync = createSync({
      formwire: service.client(),
      store,
      forms: 'all',
      intervalMs: 1,
      random: () => 0,
      signal: stop.signal,
      onPause: ({ error }) => causes.push(((error as StoreError).cause as { code?: unknown }).code),
    })
    const running = sync.run()
    const ids = () =>
      queryOnce(standby.url, 'SELECT id::int FROM formwire_responses ORDER BY id').catch(() => [])
    const idsTo = (last: number) => Array.from({ length: last }, (_, index) => ({ id: index + 1 }))
    await expect.poll(ids, { timeout: WAIT_MS }).toEqual(idsTo(3))

    rmSync(current)
    symlinkSync(standby.folder, current)
    await primary.stop()
    service.add(form, 2, () => '2026-11-21T11:00:00.000Z')
    await expect.poll(() => causes, { timeout: WAIT_MS }).toContain('25006')
    expect(await ids()).toEqual(idsTo(3))

    await queryOnce(standby.url, 'SELECT pg_promote()')
    await expect.poll(ids, { timeout: WAIT_MS }).toEqual(idsTo(5))
    stop.abort()
    await expect(running).resolves.toMatchObject({ inserted: 5 })
    await store.close()
    await service.server.close()
  })
})
