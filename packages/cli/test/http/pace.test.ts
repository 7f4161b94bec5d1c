import { expect, it } from 'vitest'
import { gapAfter, pacedTransport } from '../../src/http/pace.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const headers = (entries: Record<string, string>) => ({ headers: new Headers(entries) })

it.each([
  [{}, undefined],
  [{ 'ratelimit-remaining': '9' }, undefined],
  [{ 'x-ratelimit-limit': '120', 'x-ratelimit-remaining': '100', 'x-ratelimit-reset': '60' }, 0],
  [{ 'x-ratelimit-limit': '120', 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '30' }, 500],
  [{ 'ratelimit-remaining': '59', 'ratelimit-reset': String(NOW / 1000 + 30) }, 500],
  [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '3600' }, 10_000],
  [{ 'ratelimit-remaining': 'many', 'ratelimit-reset': '60' }, undefined],
])('the gap after %j is %s ms', (given, gapMs) => {
  expect(gapAfter(headers(given as Record<string, string>), NOW)).toBe(gapMs)
})

it('[RATE-01] requests have no gap until the first 429, and that of the documented rate from then on', async () => {
  let now = NOW
  const slept: number[] = []
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      slept.push(ms)
      now += ms
    },
  }
  const statuses = [200, 200, 429, 200, 200]
  const transport = pacedTransport(
    async () => ({ status: statuses.shift() ?? 200, headers: new Headers(), body: '' }),
    { clock, stop: new AbortController().signal },
  )
  for (let number = 0; number < 5; number += 1) await transport({} as never)
  expect(slept).toEqual([500, 500])
})
