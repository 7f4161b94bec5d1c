import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { SyncUsageError } from '../src/index.ts'
import { connectionFailure, translated } from '../src/postgres/errors.ts'
import { postgresStore } from '../src/postgres/index.ts'

const failure = (code: string): Error => Object.assign(new Error('cannot execute INSERT'), { code })

it.each(['25006', '55000', '57P01', '08006', '53300'])('takes %s for an outage, which passes', (code) => {
  expect(translated(failure(code))).toMatchObject({ code: 'unavailable', isPassing: true })
})

it('leaves 55000 of a statement of onResponse as it is, such as currval() of an unused sequence', () => {
  const error = failure('55000')
  expect(translated(error, { earlier: error })).toBe(error)
})

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'refused'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version number', 'refused'],
  [undefined, 'The server does not support SSL connections', 'refused'],
  ['42P06', 'schema "queue" already exists', 'refused'],
  // A pooler without a free connection, a process without a free file or port.
  ['XX000', 'max clients reached', 'unavailable'],
  ['EMFILE', 'too many open files', 'unavailable'],
  ['EADDRNOTAVAIL', 'cannot assign requested address', 'unavailable'],
  [undefined, 'unexpected message from server', 'unavailable'],
  ['57P03', 'the database system is starting up', 'unavailable'],
  ['ECONNREFUSED', 'connect ECONNREFUSED', 'unavailable'],
])('names the database if a connection fails with %s', (code, message, expected) => {
  const error = connectionFailure(Object.assign(new Error(message), code === undefined ? {} : { code }))
  expect(error).toMatchObject({ name: 'StoreError', code: expected })
  expect(error).toMatchObject({ message: `Cannot use the PostgreSQL database: ${message}.` })
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
