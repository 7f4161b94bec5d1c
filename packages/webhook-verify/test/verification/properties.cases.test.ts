import { tryVerifyWebhook, WebhookVerificationError } from '@formwire/webhook-verify'
import * as web from '@formwire/webhook-verify/web'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/support/any-character.ts'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { BODY, HEADERS, SECRET, SIGNATURE, SIGNED_AT } from '../support.ts'

/** 100,000 runs take a few seconds. */
const numRuns = propertyRuns(1_000, 10_000)

/** Texts to insert, often ones that parsers handle wrongly. */
const nastyText = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '',
    ' ',
    '\n',
    '\0',
    ',',
    '0',
    'sha256=',
    '１',
    '\ud800',
    '__proto__',
    '-1',
    '1e9',
    'whsec_',
  ),
)

function splice(text: string) {
  return fc
    .tuple(fc.nat(text.length), fc.nat(3), nastyText)
    .map(([start, dropped, inserted]) => text.slice(0, start) + inserted + text.slice(start + dropped))
}

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withTypedArray: true,
})

/** One mutation of headers, body or secret of a genuine delivery. */
const mutation = fc.oneof(
  splice(BODY).map((body) => ({ body })),
  splice(HEADERS['X-Service-Signature']).map((value) => ({
    headers: { ...HEADERS, 'X-Service-Signature': value },
  })),
  splice(HEADERS['X-Service-Timestamp']).map((value) => ({
    headers: { ...HEADERS, 'X-Service-Timestamp': value },
  })),
  splice(HEADERS['X-Service-Event']).map((value) => ({ headers: { ...HEADERS, 'X-Service-Event': value } })),
  splice(SECRET).map((secret) => ({ secret })),
  fc
    .tuple(fc.constantFrom(...Object.keys(HEADERS)), anything)
    .map(([name, value]) => ({ headers: { ...HEADERS, [name]: value } })),
  fc
    .dictionary(fc.constantFrom(...Object.keys(HEADERS), 'x-service-signature'), nastyText)
    .map((headers) => ({ headers })),
  fc.uint8Array({ maxLength: 64 }).map((body) => ({ body })),
  anything.map((body) => ({ body })),
  anything.map((secret) => ({ secret })),
  anything.map((now) => ({ now })),
  anything.map((toleranceSeconds) => ({ toleranceSeconds })),
  fc.array(nastyText, { maxLength: 5 }).map((secret) => ({ secret })),
)

/** Whether the secret and everything that is signed are unchanged. */
function isStillGenuine(options: Record<string, unknown>): boolean {
  const headers = options.headers as Record<string, unknown>
  // HMAC pads short keys with NUL bytes, so trailing ones do not change the key.
  const secrets = [options.secret].flat().map((secret) => String(secret).replace(/\0+$/, ''))
  const one = (value: unknown) => (Array.isArray(value) && value.length === 1 ? value[0] : value)
  return (
    (typeof options.body === 'string'
      ? options.body === BODY
      : Buffer.from(options.body as Uint8Array).equals(Buffer.from(BODY))) &&
    secrets.includes(SECRET) &&
    one(headers['X-Service-Signature']) === `sha256=${SIGNATURE}` &&
    one(headers['X-Service-Timestamp']) === '1795253400'
  )
}

describe('mutated deliveries', () => {
  it('[DLV-10] fail with a coded error, unless nothing signed was changed', () => {
    fc.assert(
      fc.property(mutation, (change) => {
        const options = { secret: SECRET, headers: HEADERS, body: BODY, now: SIGNED_AT, ...change }
        const result = tryVerifyWebhook(options as never)
        if (result.ok) expect(isStillGenuine(options)).toBe(true)
        else expect(result.error instanceof WebhookVerificationError && result.error.hint).toMatch(/./)
      }),
      { numRuns },
    )
  })

  it('[DLV-10] get the same result from /web', async () => {
    await fc.assert(
      fc.asyncProperty(mutation, async (change) => {
        const options = { secret: SECRET, headers: HEADERS, body: BODY, now: SIGNED_AT, ...change }
        const [node, onWeb] = [
          tryVerifyWebhook(options as never),
          await web.tryVerifyWebhook(options as never),
        ]
        expect(onWeb.ok ? 'event' : onWeb.error.code).toBe(node.ok ? 'event' : node.error.code)
      }),
      { numRuns: Math.ceil(numRuns / 20) },
    )
  })
})
