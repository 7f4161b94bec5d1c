import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import schema from '../vectors/webhooks.schema.json' with { type: 'json' }

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8'))
const file = read('webhooks.json') as {
  vectors: { name: string; body_base64: string; expect: { ok: boolean; code?: string } }[]
}
const { vectors } = file

describe('vectors/webhooks.json', () => {
  it('matches its JSON Schema', () => {
    expect(z.fromJSONSchema(schema as never).safeParse(file)).toMatchObject({ success: true })
  })

  it.each([
    ['an unknown member', { note: '' }],
    ['a secret that is a string', { secrets: 'whsec_test' }],
    ['a header given once in an array', { headers: { 'X-Service-Event': ['test.ping'] } }],
    ['a body that is not base64', { body_base64: '{}' }],
    ['an unknown code', { expect: { ok: false, code: 'teapot' } }],
    ['a refusal without its code', { expect: { ok: false } }],
  ])('has a schema that refuses %s', (_title, change) => {
    const changed = { ...file, vectors: [...vectors.slice(1), { ...vectors[0], ...change }] }
    expect(z.fromJSONSchema(schema as never).safeParse(changed).success).toBe(false)
  })

  it('covers at least 40 deliveries, half of them refused, for every reason, and no two alike', () => {
    const refused = vectors.filter(({ expect: { ok } }) => !ok)
    expect(vectors.length).toBeGreaterThanOrEqual(40)
    expect(vectors.length - refused.length).toBeGreaterThanOrEqual(12)
    expect(refused.length * 2).toBeGreaterThanOrEqual(vectors.length)
    expect([...new Set(refused.map(({ expect: { code } }) => code))].sort()).toEqual([
      'event_mismatch',
      'invalid_json',
      'invalid_secret',
      'malformed_header',
      'missing_header',
      'no_match',
      'timestamp_in_future',
      'timestamp_too_old',
      'unexpected_payload',
    ])
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
    const inputs = vectors.map(({ name: _, expect: __, ...input }) => JSON.stringify(input))
    expect(new Set(inputs).size).toBe(vectors.length)
  })

  it('equals the output of the Python script', () => {
    const check = spawnSync('python3', ['scripts/verification-vectors.py', '--check'], {
      cwd: new URL('../', import.meta.url),
      encoding: 'utf8',
    })
    expect(check).toMatchObject({ status: 0, stderr: '' })
  })
})
