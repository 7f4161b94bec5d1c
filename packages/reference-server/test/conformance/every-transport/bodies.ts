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

/** Returns valid JSON of exactly this many bytes. */
const filler = (bytes: number) => `{"title":"New","filler":"${'x'.repeat(bytes - 27)}"}`

export const bodyCases = [
  shows('ERR-01', 'rejects a body that is not a JSON object with 400', async ({ api }) => {
    for (const body of [
      '',
      ' ',
      '{',
      '{"title":}',
      "{'title':'x'}",
      '{"title":"x"} x',
      'null',
      '[]',
      '"x"',
      '1',
      'NaN',
      '[{"title":"x"}]',
      '{"title":"\u0001"}',
    ]) {
      const { status, json: payload } = await api('PATCH', path, { body, headers: json })
      expect([body, status, payload.error.code]).toEqual([body, 400, 'bad_request'])
    }
    const notUtf8 = Uint8Array.from([...Buffer.from('{"title":"'), 0xff, 0xfe, ...Buffer.from('"}')])
    expect((await api('PATCH', path, { body: notUtf8, headers: json })).status).toBe(400)
    expect((await api('PATCH', path)).status).toBe(400)
  }),
  shows('ERR-01', 'rejects a content type other than JSON with 400', async ({ api }) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/json-patch+json',
      'text/json',
      'application/json; charset=utf-16',
    ]) {
      const { status } = await api('PATCH', path, {
        body: '{"title":"New"}',
        headers: { 'content-type': type },
      })
      expect([type, status]).toEqual([type, 400])
    }
    for (const type of [
      'application/json',
      'application/json;charset=utf-8',
      'Application/JSON; Charset="UTF-8"',
    ]) {
      const { status } = await api('PATCH', path, {
        body: '{"title":"New"}',
        headers: { 'content-type': type },
      })
      expect([type, status]).toEqual([type, 200])
    }
  }),
  shows('ERR-01', 'accepts a body of 1 MiB and rejects one more byte with 400', async ({ api }) => {
    expect(Buffer.byteLength(filler(1_048_576))).toBe(1_048_576)
    expect((await api('PATCH', path, { body: filler(1_048_576), headers: json })).status).toBe(200)
    const { status, json: payload } = await api('PATCH', path, { body: filler(1_048_577), headers: json })
    expect([status, payload.error.code]).toEqual([400, 'bad_request'])
  }),
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
