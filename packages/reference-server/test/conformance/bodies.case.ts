import { expect } from 'vitest'
import { systemRandom } from '../../src/random.ts'
import { shows } from './case.ts'
import { FORM } from './seed.ts'

const json = { 'content-type': 'application/json' }
const path = `/forms/${FORM}`

/** Stands for a bug: a source of randomness that can break. */
const random = {
  broken: false,
  bytes(length: number): Uint8Array {
    if (random.broken) throw new Error('the cause')
    return systemRandom.bytes(length)
  },
}
const reported: unknown[] = []

/** Valid JSON of exactly so many bytes. */
const filler = (bytes: number) => `{"title":"New","filler":"${'x'.repeat(bytes - 27)}"}`

export const bodyCases = [
  shows('ERR-01', 'a body that is no JSON object is 400', async ({ api }) => {
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
      const { status, json: told } = await api('PATCH', path, { body, headers: json })
      expect([body, status, told.error.code]).toEqual([body, 400, 'bad_request'])
    }
    const notUtf8 = Uint8Array.from([...Buffer.from('{"title":"'), 0xff, 0xfe, ...Buffer.from('"}')])
    expect((await api('PATCH', path, { body: notUtf8, headers: json })).status).toBe(400)
    expect((await api('PATCH', path)).status).toBe(400)
  }),
  shows('ERR-01', 'another content type than JSON is 400', async ({ api }) => {
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
  shows('ERR-01', 'a body of 1 MiB is taken, one byte more is 400', async ({ api }) => {
    expect(Buffer.byteLength(filler(1_048_576))).toBe(1_048_576)
    expect((await api('PATCH', path, { body: filler(1_048_576), headers: json })).status).toBe(200)
    const { status, json: told } = await api('PATCH', path, { body: filler(1_048_577), headers: json })
    expect([status, told.error.code]).toEqual([400, 'bad_request'])
  }),
  shows(
    'ERR-01 ERR-03',
    'deep, repeated and poisonous members are values like any other',
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
  shows('ERR-01', 'what a GET or DELETE carries as a body is not read', async ({ api }) => {
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
    'a bug is 500 with nothing of its cause, which goes to the log of the server',
    async ({ api }) => {
      const register = () => api('POST', `${path}/webhooks`, { json: { url: 'http://127.0.0.1:9/hook' } })
      expect((await register()).status).toBe(201)
      random.broken = true
      try {
        const { status, json: told } = await register()
        expect([status, told]).toEqual([
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
