import { expect, it, onTestFinished } from 'vitest'
import { describeOnPostgres } from '../../../sync/test/support/describe-on-postgres.ts'
import { pg } from '../../../sync/test/support/postgres-server.ts'
import { runCli } from '../support/run-cli.ts'
import { SURVEY, startService } from '../support/service.ts'

describeOnPostgres((serverUrl) => {
  it('does not wait for a program that holds a view which needs a new column', async () => {
    const service = await startService({ limits: 'off' })
    onTestFinished(() => service.server.close())
    const env = { ...service.env, FORMWIRE_DATABASE_URL: serverUrl() }
    const once = () => runCli(['sync', SURVEY, '--to', 'postgres', '--once'], { env })
    expect(await once()).toMatchObject({ code: 0, stderr: '' })
    const reader = new pg.Client({ connectionString: serverUrl() })
    await reader.connect()
    onTestFinished(() => reader.end())
    await reader.query(
      `INSERT INTO formwire_sync_questions (form_id, workspace_id, position, question_id, name, kind)
        SELECT form_id, workspace_id, 100, 'later', 'later', 'text' FROM formwire_sync_views`,
    )
    await reader.query(`BEGIN; SELECT * FROM "formwire_form_${SURVEY.toLowerCase()}"`)
    const startedAt = Date.now()
    // It would announce a wait of two seconds.
    expect(await once()).toMatchObject({ code: 0, stderr: '' })
    expect(Date.now() - startedAt).toBeLessThan(10_000)
    await reader.query('COMMIT')
    expect(await once()).toMatchObject({ code: 0, stderr: '' })
    const { fields } = await reader.query(`SELECT * FROM "formwire_form_${SURVEY.toLowerCase()}"`)
    expect(fields.map(({ name }) => name)).toContain('later')
  })
})
