import { expect, it } from 'vitest'
import { backoffMs } from '../src/backoff.ts'

it('doubles up to the longest wait', () => {
  const waits = [1, 2, 3, 4, 5, 2000].map((attempt) => backoffMs(attempt, 500, 3000))
  expect(waits).toEqual([500, 1000, 2000, 3000, 3000, 3000])
  expect(backoffMs(7, 500)).toBe(32_000)
})

it.each([
  [0.5, 0, 1000],
  [0.5, 0.5, 1500],
  [0.5, 1, 2000],
  [1, 0, 0],
  [1, 0.25, 500],
])('with a jitter of %d and the random number %d, waits %d ms of 2000', (jitter, random, ms) => {
  expect(backoffMs(2, 1000, Number.POSITIVE_INFINITY, jitter, () => random)).toBe(ms)
})
