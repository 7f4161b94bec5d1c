import { expect } from 'vitest'
import { KEYS } from '../seed.ts'
import type { World } from '../world.ts'
import { shows } from './case.ts'

const wrong = 'svc_wrong0000000000000000'

/** Sends a number of requests and counts their statuses. */
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
  shows(
    'RATE-03',
    'serves the client again after Retry-After and does not count rejected requests',
    async (world) => {
      const ask = me(world, KEYS.read)
      await tally(10, ask)
      await world.server.clock.advance('59s')
      expect(await tally(5, ask)).toEqual({ 429: 5 })
      await world.server.clock.advance('1s')
      expect(await tally(11, ask)).toEqual({ 200: 10, 429: 1 })
    },
    { options: { limits: { requestsPerMinute: 10 } } },
  ),
  shows(
    'RATE-02',
    'rejects the 31st failed authentication of a minute with 429, but not a valid key',
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
    'counts failed authentications per address',
    async ({ server }) => {
      const failFrom = (address: string) => () =>
        server.fetch('http://formwire.test/api/v1/me', {
          address,
          headers: { authorization: `Bearer ${wrong}` },
        })
      expect(await tally(31, failFrom('203.0.113.1'))).toEqual({ 401: 30, 429: 1 })
      expect(await tally(31, failFrom('203.0.113.2'))).toEqual({ 401: 30, 429: 1 })
      expect(await tally(1, failFrom('203.0.113.1'))).toEqual({ 429: 1 })
    },
    {
      leftOut: {
        socket: 'test/http/socket.test.ts sends from two loopback addresses',
        msw: 'msw does not pass the address of a client',
      },
    },
  ),
  shows('RATE-02', 'ignores the address that a client claims in headers', async ({ api }) => {
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
]
