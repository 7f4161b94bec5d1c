import { createReceiver, WebhookVerificationError } from '@formwire/webhook-verify'
import { createPostgresSecrets, PostgresStoreError } from '@formwire/webhook-verify/secrets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeOnPostgres } from '../../../sync/test/support/describe-on-postgres.ts'
import { pg } from '../../../sync/test/support/postgres-server.ts'
import { describeSecrets, FORM, storedSecret } from './secrets-suite.ts'

describeOnPostgres((url) => {
  let pool: InstanceType<typeof pg.Pool>
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: url() })
  })
  afterAll(() => pool?.end())

  let schemas = 0
  describeSecrets('PostgreSQL', async () => {
    schemas += 1
    const schema = `secrets "${schemas}"`
    await pool.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`)
    return createPostgresSecrets({ pool, schema })
  })

  describe('secrets (PostgreSQL)', () => {
    it('creates its table in the search path without a schema', async () => {
      await createPostgresSecrets({ pool }).save(storedSecret(FORM, 1))
      const { rows } = await pool.query('SELECT webhook_id FROM public.formwire_webhook_secrets')
      expect(rows).toEqual([{ webhook_id: '1' }])
    })

    it('opens a database by its URL', async () => {
      const store = createPostgresSecrets({ connectionString: url() })
      await store.save(storedSecret(FORM, 2))
      expect((await store.list('1')).map(({ webhook_id }) => webhook_id)).toContain(2)
    })

    it('responds with 503 when the database refuses, so that the service retries', async () => {
      const errors: unknown[] = []
      const { secret } = createPostgresSecrets({ connectionString: `${url()}&user=nobody` })
      const receive = createReceiver({ secret, on: {}, onError: (error) => errors.push(error) })
      const body = JSON.stringify({ form: { id: FORM } })
      expect(await receive({ headers: {}, body })).toMatchObject({ status: 503 })
      expect(errors).toEqual([expect.any(PostgresStoreError)])
      expect(errors).toMatchObject([{ code: 'refused' }])
    })

    it('refuses unknown and invalid options', () => {
      for (const options of [{ table: 'x' }, { pool: {} }, { schema: '' }])
        expect(() => createPostgresSecrets(options as never)).toThrow(WebhookVerificationError)
    })
  })
})
