import { expect, it } from 'vitest'
import { StoreError } from '../../src/errors.ts'
import { Workspace } from '../../src/fleet/workspace.ts'
import { postgresStore } from '../../src/postgres/index.ts'

/** A workspace whose database is never used. */
function workspace(): Workspace {
  const root = postgresStore({ connectionString: 'postgres://127.0.0.1:1/none' })
  const settings = { rateLimit: false, queueSchema: 'queue', concurrency: 1 }
  const options = { name: 'main', apiKeys: ['svc_key'], baseUrl: 'http://127.0.0.1:9' }
  return new Workspace(settings as never, options as never, { root, budget: {} as never, owners: new Map() })
}

it.each([
  ['no outage, if other processes hold their locks', new StoreError('locked', 'locked'), false],
  ['an outage, if the service fails for them', new Error('failed'), true],
])('takes six failing forms for %s', (_what, error, isOutage) => {
  const main = workspace()
  const outcomes = ['a', 'b', 'c', 'd', 'e', 'f'].map((form) => main.formFailed(form, error))
  expect(outcomes).toEqual([false, false, false, false, false, isOutage])
  expect(main.activity.status()).toMatchObject({ failing_forms: 6 })
})
