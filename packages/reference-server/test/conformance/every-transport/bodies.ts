import { expect } from 'vitest'
import { systemRandom } from '../../../src/random.ts'
import { FORM } from '../seed.ts'
import { shows } from './case.ts'

const json = { 'content-type': 'application/json' }
const path = `/forms/${FORM}`

/** Simulates a bug: a source of randomness that can fail. */
const random = {
  broken: false,
  bytes(length: number): Uint8Array {
    if (random.broken) throw new Error('the cause')
    return systemRandom.bytes(length)
  },
}
const reported: unknown[] = []

export const bodyCases = [
  shows(
    'ERR-01 ERR-03',
    'treats deep, duplicate and prototype-polluting members like any other value',
    async ({ api, app }) => {
      const send = (body: string) => api('PATCH', path, { body, headers: json })
      expect((await send(`{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).status).toBe(422)
      expect((await send(`{"title":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`)).status).toBe(422)
      expect((await send('{"title":"One","title":"Two"}')).json.data.title).toBe('Two')
      expect((await send('{"__proto__":{"title":"Poison","polluted":true}}')).status).toBe(422)
      expect(
        (await send('{"constructor":{"prototype":{"polluted":true}},"title":"Fine"}')).json.data.title,
      ).toBe('Fine')
      expect((await send('{"toString":"x","hasOwnProperty":1,"title":"Fine"}')).status).toBe(200)
      expect((await send('{"title\\u0000":"x"}')).status).toBe(422)
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      expect((await app('GET', `/forms/${FORM}`)).json.data).not.toHaveProperty('polluted')
    },
  ),
  shows('ERR-01', 'ignores the body of a GET or DELETE', async ({ api }) => {
    expect(
      (
        await api('DELETE', `${path}/responses/1`, {
          body: 'junk',
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(200)
  }),
  shows(
    'ERR-04',
    'returns 500 without the cause of a bug, which is logged by the server',
    async ({ api }) => {
      const register = () => api('POST', `${path}/webhooks`, { json: { url: 'http://127.0.0.1:9/hook' } })
      expect((await register()).status).toBe(201)
      random.broken = true
      try {
        const { status, json: payload } = await register()
        expect([status, payload]).toEqual([
          500,
          { error: { code: 'server_error', message: 'Something went wrong on our side.' } },
        ])
      } finally {
        random.broken = false
      }
      expect(reported.splice(0)).toEqual([new Error('the cause')])
      expect((await register()).status).toBe(201)
    },
    { options: { random, report: (cause) => reported.push(cause) } },
  ),
]
