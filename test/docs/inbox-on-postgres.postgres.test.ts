/** Runs the program of docs/how-to/inbox-on-postgres.md on PostgreSQL, and stops it. */
import { createSeedFactory, startFormwire } from '@formwire/reference-server/testing'
import { expect, it, onTestFinished } from 'vitest'
import { describeOnPostgres } from '../../packages/sync/test/support/describe-on-postgres.ts'
import { pg } from '../../packages/sync/test/support/postgres-server.ts'
import { bundledCode } from '../support/bundled.ts'
import { exampleOf } from '../support/examples.ts'
import { freePort } from '../support/free-port.ts'
import { node22 } from '../support/node-22.ts'
import { WAIT_MS } from '../support/patience.ts'
import { startProgram } from '../support/spawn.ts'

const FORM = 'guestvoice01'

describeOnPostgres((serverUrl) => {
  it('receives, polls and handles, and exits with 0 on SIGTERM', async () => {
    const make = await createSeedFactory(1)
    const seed = make.seed(make.form({ id: FORM, responses: 2 }))
    // A delivery that times out on a busy machine is repeated a minute later.
    const kit = await startFormwire({ seed, limits: 'off', clock: 'real', deliveryTimeoutMs: WAIT_MS })
    onTestFinished(() => kit.close())
    const { url: baseUrl } = await kit.server.listen({ port: 0 })
    const port = await freePort()
    const hook = `http://127.0.0.1:${port}/formwire/${FORM}`
    const { id, secret } = await kit.server.app.webhooks.create(FORM, { url: hook })
    const pool = new pg.Pool({ connectionString: serverUrl() })
    onTestFinished(() => pool.end())
    await pool.query('CREATE TABLE webhook_secrets (form_id text PRIMARY KEY, secret text NOT NULL)')
    await pool.query('INSERT INTO webhook_secrets VALUES ($1, $2)', [FORM, secret])

    const sync = new URL('../../packages/sync/test/', import.meta.url).href
    const program = await bundledCode(exampleOf('inbox-on-postgres.md', 'createInbox('), sync)
    const running = startProgram(node22, [program], {
      FORMWIRE_DATABASE_URL: serverUrl(),
      FORMWIRE_BASE_URL: baseUrl,
      FORMWIRE_API_KEY: kit.server.writeKey,
      PORT: String(port),
    })
    onTestFinished(() => void running.child.kill('SIGKILL'))
    expect(await running.firstLine).toBe(`receiving on port ${port}`)
    const handled = (): string[] => running.stdout.match(new RegExp(`handled ${FORM}/\\d+`, 'g')) ?? []
    await expect.poll(handled, { timeout: WAIT_MS }).toHaveLength(2)
    kit.server.app.responses.create(FORM, { deliver: true })
    await expect.poll(handled, { timeout: WAIT_MS }).toHaveLength(3)
    const delivered = { status: 'delivered', attempts: 1 }
    await expect
      .poll(() => kit.server.app.deliveries.list(FORM, id), { timeout: WAIT_MS })
      .toMatchObject([delivered])
    running.child.kill('SIGTERM')
    expect(await running.finished).toMatchObject({ code: 0, signal: null, stderr: '' })
    // Where another process goes on.
    expect((await pool.query('SELECT key FROM formwire_checkpoints')).rows).toHaveLength(1)
  })
})
