import { createPostgresDedupe, PostgresStoreError } from '@formwire/webhook-verify/dedupe/postgres'
import { expect, it, vi } from 'vitest'
import { submitted, verified } from './events.ts'

vi.mock('pg', () => {
  throw new Error("Cannot find package 'pg'")
})

it('names the package pg if it is not installed', async () => {
  const error = await createPostgresDedupe()
    .claim(verified(submitted()))
    .catch((error: unknown) => error)
  expect(error).toBeInstanceOf(PostgresStoreError)
  const message = 'PostgreSQL requires the package pg beside this one: npm install pg@8'
  expect(error).toMatchObject({ code: 'no_driver', message })
  expect((error as PostgresStoreError).helpUrl).toMatch(/#database_no_driver$/)
})
