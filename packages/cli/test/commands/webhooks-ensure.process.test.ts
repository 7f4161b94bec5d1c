import { setTimeout } from 'node:timers/promises'
import { createPostgresSecrets } from '@formwire/webhook-verify/secrets'
import { expect, it } from 'vitest'
import { describeOnPostgres } from '../../../sync/test/support/describe-on-postgres.ts'
import { pg } from '../../../sync/test/support/postgres-server.ts'
import { runCli } from '../support/run-cli.ts'
import { PARTY, SURVEY, startService } from '../support/service.ts'

describeOnPostgres((serverUrl) => {
  it('stores the secrets in PostgreSQL with webhooks ensure, and keeps what exists', async () => {
    const service = await startService({ limits: 'off' })
    const url = 'http://127.0.0.1:9/{form}'
    const ensure = () =>
      runCli(['webhooks', 'ensure', '--all', '--url', url, '--secrets', 'postgres', '--json', 'result'], {
        env: { ...service.env, FORMWIRE_DATABASE_URL: serverUrl() },
      })
    expect((await ensure()).stdout).toBe('[{"result":"created"},{"result":"created"}]\n')
    expect((await ensure()).stdout).toBe('[{"result":"kept"},{"result":"kept"}]\n')
    const pool = new pg.Pool({ connectionString: serverUrl() })
    const stored = await createPostgresSecrets({ pool }).list('1')
    await pool.end()
    expect(stored.map(({ form_id }) => form_id).sort()).toEqual([PARTY, SURVEY])
    expect(stored.every(({ secret }) => /^whsec_\w+$/.test(secret))).toBe(true)
    await service.server.close()
  })

  it('leaves one endpoint when it runs twice at once', async () => {
    const service = await startService({ limits: 'off' })
    service.server.app.faults.add({ method: 'POST', delay_ms: 1000 })
    const url = 'http://127.0.0.1:9/twice'
    const ensure = () =>
      runCli(['webhooks', 'ensure', PARTY, '--url', url, '--secrets', 'postgres', '--json', 'result'], {
        env: { ...service.env, FORMWIRE_DATABASE_URL: serverUrl() },
        onSleep: (ms) => setTimeout(ms / 10),
      })
    const ended = await Promise.all([ensure(), ensure()])
    expect(ended.map(({ stdout }) => stdout).sort()).toEqual([
      '[{"result":"created"}]\n',
      '[{"result":"kept"}]\n',
    ])
    expect(service.server.app.webhooks.list(PARTY)).toHaveLength(1)
    await service.server.close()
  })

  it('fails with the code of the database before it creates an endpoint', async () => {
    const service = await startService({ limits: 'off' })
    const gone = 'postgres://me@127.0.0.1:1/none'
    const argv = ['webhooks', 'ensure', PARTY, '--url', 'http://127.0.0.1:9/x', '--secrets', gone, '--json']
    const { code, stderr } = await runCli(argv, { env: service.env })
    expect([code, JSON.parse(stderr).error.code]).toEqual([1, 'database_unavailable'])
    expect(service.server.app.webhooks.list(PARTY)).toEqual([])
    await service.server.close()
  })
})
