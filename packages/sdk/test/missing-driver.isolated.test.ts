import { expect, it, vi } from 'vitest'
import { postgresBudget } from '../src/budget/postgres.ts'
import { postgresCheckpoint } from '../src/checkpoint/postgres.ts'
import { CheckpointError, Formwire, UsageError } from '../src/index.ts'
import { fakeTransport, ME } from './support/fake-transport.ts'

vi.mock('pg', () => {
  throw new Error("Cannot find package 'pg'")
})

const MISSING = new UsageError('PostgreSQL requires the package pg beside this one: npm install pg@8')

it('sends nothing, and names the package pg, if the rate budget needs it and it is not installed', async () => {
  const transport = fakeTransport(ME)
  const rateLimit = { perMinute: 5, store: postgresBudget() }
  await expect(new Formwire({ apiKey: 'svc_k', rateLimit, transport }).me()).rejects.toThrow(MISSING)
  expect(transport.requests).toEqual([])
})

it('names the package pg if a checkpoint needs it and it is not installed', async () => {
  await expect(postgresCheckpoint().load('form')).rejects.toThrow(new CheckpointError(MISSING.message))
})
