import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { SyncUsageError } from '../src/index.ts'
import { translated } from '../src/postgres/errors.ts'
import { postgresStore } from '../src/postgres/index.ts'

const failure = (code: string): Error => Object.assign(new Error('cannot execute INSERT'), { code })

it.each(['25006', '55000', '57P01', '08006', '53300'])('takes %s for an outage, which passes', (code) => {
  expect(translated(failure(code))).toMatchObject({ code: 'unavailable', isPassing: true })
})

it('leaves 55000 of a statement of onResponse as it is, such as currval() of an unused sequence', () => {
  const error = failure('55000')
  expect(translated(error, error)).toBe(error)
})

it('names the form of a database URL that is invalid, and not the URL', async () => {
  const store = postgresStore({ connectionString: 'postgres://me:hush@db:port/app' })
  const error = await store.open().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(SyncUsageError)
  const message = 'The database URL is invalid; expected postgres://USER@HOST:PORT/DATABASE.'
  expect(error).toMatchObject({ message })
  expect(inspect(error)).not.toContain('hush')
  await store.close()
})
