import { expect, it } from 'vitest'
import { type Pace, pacedTransport } from '../../src/http/api-client.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
/** Sends requests, and returns when each was sent, in milliseconds after the first one. */
async function sentAt(count: number, pace: Pace, statuses: number[] = [], isParallel = false) {
  let now = NOW
  const at: number[] = []
  const slept: number[] = []
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      slept.push(Math.round(ms))
      if (!isParallel) now += ms
    },
  }
  const transport = pacedTransport(
    async () => {
      at.push(Math.round(now - NOW))
      return { status: statuses.shift() ?? 200, headers: new Headers(), body: '' }
    },
    { clock, stop: new AbortController().signal },
    pace,
  )
  const send = () => transport({} as never)
  if (isParallel) {
    await Promise.all(Array.from({ length: count }, send))
    return [...at.slice(slept.length), ...slept]
  }
  for (let number = 0; number < count; number += 1) await send()
  return at
}

const TEN = Array.from({ length: 10 }, () => 0)

it.each<[string, Pace, number[]]>([
  ['by default at 108 a minute', {}, [...TEN, 556, 1111, 1667]],
  ['at 60 a minute', { perMinute: 60 }, [...TEN, 1000, 2000, 3000]],
  ['at 6 a minute', { perMinute: 6 }, [0, 0, 0, 0, 0, 0, 10_000, 20_000]],
  ['at any rate', { perMinute: 0 }, [...TEN, 0, 0, 0]],
  ['to a local server', { isLocal: async () => true }, [...TEN, 0, 0, 0]],
  ['to another server', { isLocal: async () => false }, [...TEN, 556, 1111]],
  ['to a local server at 60', { perMinute: 60, isLocal: async () => true }, [...TEN, 1000]],
])('[RATE-01] sends ten requests at once and spreads the others: %s', async (_, pace, expected) => {
  expect(await sentAt(expected.length, pace)).toEqual(expected)
  expect(await sentAt(expected.length, pace, [], true)).toEqual(expected)
})

it('[RATE-01] sends at most 118 requests in a minute, and asks once whether the server is local', async () => {
  let asked = 0
  const isLocal = async () => {
    asked += 1
    return false
  }
  expect((await sentAt(200, { isLocal })).filter((at) => at <= 60_000)).toHaveLength(118)
  expect(asked).toBe(1)
  await sentAt(10, { isLocal })
  expect(asked).toBe(1)
})

it('[RATE-01] keeps the documented rate from the first 429 on, at any rate', async () => {
  expect(await sentAt(5, { perMinute: 0 }, [200, 200, 429])).toEqual([0, 0, 0, 500, 1000])
})
