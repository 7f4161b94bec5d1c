import file from '@formwire/contract/vectors/webhooks.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { codeOf, verifiers } from '../support.ts'

interface Vector {
  name: string
  secrets: string[]
  headers: Record<string, string | string[]>
  body_base64: string
  now: number
  tolerance_seconds: number
  expect: { ok: true; type: string } | { ok: false; code: string }
}

const vectors = (file.vectors as unknown as Vector[]).map((vector) => ({
  ...vector,
  options: {
    secret: vector.secrets,
    headers: vector.headers,
    body: Buffer.from(vector.body_base64, 'base64'),
    now: vector.now * 1000,
    toleranceSeconds: vector.tolerance_seconds,
  },
}))

describe.each(verifiers)('the vectors of the contract ($name)', ({ verify }) => {
  it.each(vectors)('[DLV-10] $name', async ({ options, expect: expected }) => {
    if (expected.ok) expect((await verify(options)).type).toBe(expected.type)
    else expect(await codeOf(() => verify(options))).toBe(expected.code)
  })
})
