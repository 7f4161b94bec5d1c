import { expect } from 'vitest'
import { shows } from './case.ts'
import { KEYS } from './seed.ts'
import type { World } from './world.ts'

const wrong = 'svc_wrong0000000000000000'

/** Statuses of so many requests, each with how often it came. */
async function tally(count: number, ask: () => Promise<{ status: number }>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  for (let i = 0; i < count; i += 1) {
    const { status } = await ask()
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

const me =
  ({ api }: World, key: string) =>
  () =>
    api('GET', '/me', { key })

export const limitCases = [
  shows('RATE-01', 'a key is served 120 times a minute, then it is 429 with Retry-After', async (world) => {
    expect(await tally(121, me(world, KEYS.read))).toEqual({ 200: 120, 429: 1 })
    const { json, headers } = await me(world, KEYS.read)()
    expect(json).toEqual({
      error: { code: 'rate_limited', message: 'Too many requests with this key. Wait 60 seconds.' },
    })
    expect(headers.get('retry-after')).toBe('60')
    expect((await me(world, KEYS.write)()).status).toBe(200)
  }),
  shows(
    'RATE-03',
    'after Retry-After the client is served again, and what was refused did not count',
    async (world) => {
      const ask = me(world, KEYS.read)
      await tally(120, ask)
      await world.server.clock.advance('59s')
      expect(await tally(50, ask)).toEqual({ 429: 50 })
      await world.server.clock.advance('1s')
      expect(await tally(121, ask)).toEqual({ 200: 120, 429: 1 })
    },
  ),
  shows('RATE-03', 'the window slides: places come free as they were taken', async (world) => {
    const ask = me(world, KEYS.read)
    await tally(60, ask)
    await world.server.clock.advance('30s')
    expect(await tally(61, ask)).toEqual({ 200: 60, 429: 1 })
    await world.server.clock.advance('29999ms')
    expect(await tally(1, ask)).toEqual({ 429: 1 })
    await world.server.clock.advance('1ms')
    expect(await tally(61, ask)).toEqual({ 200: 60, 429: 1 })
  }),
  shows(
    'RATE-03',
    'the window is a minute of the clock where a deployment says so',
    async (world) => {
      const ask = me(world, KEYS.read)
      await world.server.clock.advance('50s')
      expect(await tally(121, ask)).toEqual({ 200: 120, 429: 1 })
      await world.server.clock.advance('9999ms')
      expect(await tally(1, ask)).toEqual({ 429: 1 })
      await world.server.clock.advance('1ms')
      expect(await tally(121, ask)).toEqual({ 200: 120, 429: 1 })
    },
    { options: { unspecified: { rateWindow: 'fixed' } } },
  ),
  shows(
    'RATE-02',
    'an address may fail 30 times a minute, then failing is 429; a valid key still works',
    async (world) => {
      expect(await tally(31, me(world, wrong))).toEqual({ 401: 30, 429: 1 })
      const { json, headers } = await me(world, wrong)()
      expect([json.error.code, headers.get('retry-after'), headers.get('www-authenticate')]).toEqual([
        'rate_limited',
        '60',
        null,
      ])
      expect((await world.any('GET', '/api/v1/me')).status).toBe(429)
      expect((await me(world, KEYS.read)()).status).toBe(200)
      await world.server.clock.advance('60s')
      expect(await tally(31, me(world, wrong))).toEqual({ 401: 30, 429: 1 })
    },
  ),
  shows(
    'RATE-02',
    'a valid key from an address that failed too often is 429 where a deployment says so',
    async (world) => {
      await tally(30, me(world, wrong))
      expect((await me(world, KEYS.read)()).status).toBe(429)
      await world.server.clock.advance('60s')
      expect((await me(world, KEYS.read)()).status).toBe(200)
    },
    { options: { unspecified: { validKeyFromBlockedAddress: '429' } } },
  ),
  shows('RATE-02', 'who the client says it is makes no difference', async ({ api }) => {
    const ask = (i: number) =>
      api('GET', '/me', {
        key: wrong,
        headers: {
          'x-forwarded-for': `10.0.0.${i}`,
          'x-real-ip': `10.0.0.${i}`,
          forwarded: `for=10.0.0.${i}`,
        },
      })
    for (let i = 0; i < 30; i += 1) expect((await ask(i)).status).toBe(401)
    expect((await ask(31)).status).toBe(429)
  }),
  shows(
    'RATE-01 RATE-02',
    'limits can be moved and switched off',
    async (world) => {
      expect(await tally(200, me(world, KEYS.read))).toEqual({ 200: 200 })
      expect(await tally(50, me(world, wrong))).toEqual({ 401: 50 })
    },
    { options: { limits: 'off' } },
  ),
  shows('RATE-01', 'a reset forgets who asked how often', async (world) => {
    await tally(120, me(world, KEYS.read))
    expect((await me(world, KEYS.read)()).status).toBe(429)
    await world.app('POST', '/reset')
    expect((await me(world, KEYS.read)()).status).toBe(200)
  }),
]
