import { createPostgresSecrets } from '@formwire/webhook-verify/secrets'
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
    const store = createPostgresSecrets(pool, { schema })
    // A receiver starts when the table exists.
    await store.list('1')
    return store
  })

  describe('secrets (PostgreSQL)', () => {
    it('creates its table in the search path without a schema', async () => {
      await createPostgresSecrets(pool).save(storedSecret(FORM, 1))
      const { rows } = await pool.query('SELECT webhook_id FROM public.formwire_webhook_secrets')
      expect(rows).toEqual([{ webhook_id: '1' }])
    })
  })
})
