import { createReferenceServer, type ReferenceServer } from '@formwire/reference-server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { createSync } from '../../src/index.ts'
import { postgresStore } from '../../src/postgres/index.ts'
import { describeOnPostgres } from '../support/describe-on-postgres.ts'
import { fleetDatabase, startWorker } from '../support/fleet.ts'
import { type Service, startService } from '../support/service.ts'
import { expectForms, expectResponses } from '../support/truth.ts'

describeOnPostgres((serverUrl) => {
  it('keeps the tables of two workspaces with forms of the same ids equal, each in its schema', async () => {
    const first = await startService()
    const forms = [first.form(), first.form()]
    const second = await copyOf(first)
    for (const form of forms) first.add(form, 150)
    second.add(forms[0] as string, 3)
    const { url, query, rows } = await fleetDatabase(serverUrl())
    const worker = await startWorker({
      connectionString: url,
      workspaces: [
        await workspaceOf('first', first.server),
        await workspaceOf('second', second.server),
      ],
      intervalMs: 1000,
      rateLimit: false,
    })
    await vi.waitUntil(async () => (await rows('first')) === 300 && (await rows('second')) === 3, { timeout: WAIT_MS })
    // Later responses and deletions, too.
    first.add(forms[1] as string, 2, () => '2026-11-21T11:00:00.000Z')
    second.server.app.responses.delete(forms[0] as string, second.submitted(forms[0] as string)[0] as number)
    await vi.waitUntil(async () => (await rows('first')) === 302 && (await rows('second')) === 2, { timeout: WAIT_MS })
    for (const [schema, { server }] of [['first', first], ['second', second]] as const) {
      const inSchema = (sql: string) => query(sql.replace('FROM ', `FROM ${schema}.`))
      await expectResponses({ server, query: inSchema, forms })
      await expectForms({ server, query: inSchema, forms })
    }
    expect(await query('SELECT workspace, count(*)::int AS rows FROM outbox GROUP BY 1 ORDER BY 1')).toEqual([
      { workspace: 'first', rows: 302 },
      { workspace: 'second', rows: 3 },
    ])
    expect(worker.events()).toEqual([{ event: 'started' }])
  })
})

/** A service with the same forms. */
async function copyOf({ server }: Service): Promise<Service> {
  const snapshot = server.app.snapshot.take()
  return await startService({ snapshot })
}

async function workspaceOf(name: string, server: ReferenceServer) {
  const { url } = await server.listen({ port: 0 })
  onTestFinished(() => server.close())
  return { name, apiKeys: [server.writeKey], baseUrl: url, schema: name }
}
