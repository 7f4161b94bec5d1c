import { expect, it, vi } from 'vitest'
import { postgresBudget } from '../src/budget/postgres.ts'
import { postgresCheckpoint } from '../src/checkpoint/postgres.ts'
import { CheckpointError, Formwire, UsageError } from '../src/index.ts'

vi.mock('pg', () => {
  throw new Error("Cannot find package 'pg'")
})

const MISSING = new UsageError('PostgreSQL requires the package pg beside this one: npm install pg@8')

it('sends nothing, and names the package pg, if the rate budget needs it and it is not installed', async () => {
  let sent = 0
  const formwire = new Formwire({
    apiKey: 'svc_k',
    rateLimit: { perMinute: 5, store: postgresBudget() },
    transport: () => {
      sent += 1
      return Promise.reject(new Error('unreachable'))
    },
  })
  await expect(formwire.me()).rejects.toThrow(MISSING)
  expect(sent).toBe(0)
})

it('names the package pg if a checkpoint needs it and it is not installed', async () => {
  await expect(postgresCheckpoint().load('form')).rejects.toThrow(new CheckpointError(MISSING.message))
})
