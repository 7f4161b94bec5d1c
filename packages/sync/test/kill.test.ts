import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSync } from '../src/index.ts'
import { sqliteStore } from '../src/sqlite/index.ts'
import { startService } from './support/service.ts'
import { temporaryDirectory } from './support/temporary.ts'

/** Inside the package, so that libsql is resolved. */
const outDir = fileURLToPath(new URL(`../node_modules/.worker-${process.pid}/`, import.meta.url))
const worker = join(outDir, 'sync-worker.mjs')
const kills = Number(process.env.FORMWIRE_KILLS ?? 20)

beforeAll(async () => {
  mkdirSync(outDir, { recursive: true })
  await build({
    entryPoints: [fileURLToPath(new URL('./process/sync-worker.ts', import.meta.url))],
    outfile: worker,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@formwire/source'],
    external: ['libsql', '@formwire/sdk/validate'],
    logLevel: 'error',
  })
})
afterAll(() => rmSync(outDir, { recursive: true, force: true }))

describe('a process that is killed', () => {
  it(`[POLL-02] loses and repeats nothing in ${kills} kills with SIGKILL at random requests`, {
    timeout: 600_000,
  }, async () => {
    const service = await startService()
    const { app, writeKey } = service.server
    const { url } = await service.server.listen({ port: 0 })
    const form = service.form()
    service.add(form, 30)
    const path = join(temporaryDirectory(), 'test.db')
    const other = sqliteStore(path)
    const query = (sql: string) => other.transaction('', (session) => session.query(sql))
    await query('CREATE TABLE outbox (id INTEGER NOT NULL)')
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    for (let kill = 0; kill < kills; kill += 1) {
      app.requests.clear()
      const child = spawn(process.execPath, [worker, url, writeKey, form, path], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let errors = ''
      child.stderr.on('data', (chunk) => {
        errors += chunk
      })
      const ended = once(child, 'exit')
      const until = 1 + random(20)
      while (app.requests.list().length < until && child.exitCode === null) {
        await sleep(1)
        if (random(4) > 0) continue
        const ids = service.submitted(form)
        if (random(2) === 0 && ids.length > 10) app.responses.delete(form, ids[random(ids.length)] as number)
        else app.responses.create(form, { answers: [{ question_id: 'nps', value: random(11) }] })
      }
      expect(errors).toBe('')
      child.kill('SIGKILL')
      await ended
    }
    const store = sqliteStore(path)
    const outbox = (
      { id }: { id: number },
      transaction: { run(sql: string, ...values: number[]): void },
    ): void => transaction.run('INSERT INTO outbox (id) VALUES (?)', id)
    await createSync({
      formwire: service.client(),
      store,
      forms: [form],
      per_page: 5,
      onResponse: outbox,
    }).once()
    const ids = async (sql: string): Promise<number[]> => (await query(sql)).map(({ id }) => Number(id))
    expect(await ids('SELECT id FROM formwire_responses WHERE deleted_at IS NULL ORDER BY id')).toEqual(
      service.submitted(form),
    )
    expect(await ids('SELECT id FROM outbox ORDER BY id')).toEqual(
      await ids('SELECT id FROM formwire_responses ORDER BY id'),
    )
    expect(await query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    await store.close()
    await other.close()
    await service.server.close()
  })
})
