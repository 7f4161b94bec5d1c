import { createPostgresDedupe, PostgresStoreError } from '@formwire/webhook-verify/dedupe/postgres'
import { createPostgresSecrets } from '@formwire/webhook-verify/secrets'
import { expect, it, vi } from 'vitest'
import { submitted, verified } from './events.ts'

vi.mock('pg', () => {
  throw new Error("Cannot find package 'pg'")
})

it.each([
  ['dedupe', () => createPostgresDedupe().claim(verified(submitted()))],
  ['secrets', () => createPostgresSecrets().list('1')],
])('names the package pg if it is not installed (%s)', async (_store, call) => {
  const error = await call().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(PostgresStoreError)
  const message = 'PostgreSQL requires the package pg: npm install pg@8'
  expect(error).toMatchObject({ code: 'no_driver', message })
  expect((error as PostgresStoreError).helpUrl).toMatch(/#database_no_driver$/)
})
