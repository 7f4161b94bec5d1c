import { verificationOf } from '@formwire/webhook-verify'
import { describe, expect, it } from 'vitest'
import { BODY, GOOD, HEADERS, refusalOf, SECRET, verifiers } from '../support.ts'

describe.each(verifiers)('secrets ($name)', ({ verify }) => {
  it.each<[secret: unknown, message: string]>([
    ['', 'The secret is empty.'],
    [' ', 'The secret is blank.'],
    // HMAC pads keys with NUL bytes: the first is the empty key.
    ['\0'.repeat(64), 'The secret is blank.'],
    ['\0\n', 'The secret is blank.'],
    [[SECRET, '\0'], 'Secret 1 of the list is blank.'],
    [[], 'The list of secrets is empty.'],
    [[SECRET, ''], 'Secret 1 of the list is empty.'],
    [[SECRET, undefined], 'Secret 1 of the list must be a string, got undefined.'],
    [undefined, 'The secret must be a string, got undefined.'],
    [null, 'The secret must be a string, got object.'],
  ])('refuses %j as a secret', async (secret, message) => {
    const error = await refusalOf(() => verify({ ...GOOD, secret: secret as string }))
    expect(error).toMatchObject({ code: 'invalid_secret', status: 500, message })
  })

  it('tries every secret of a list', async () => {
    expect(
      verificationOf(await verify({ ...GOOD, secret: ['whsec_a', 'whsec_b', SECRET] }))?.secretIndex,
    ).toBe(2)
    expect((await refusalOf(() => verify({ ...GOOD, secret: ['whsec_a', 'whsec_b'] }))).message).toContain(
      'any of the 2 secrets',
    )
  })

  it.each([
    ['a newline after the secret', { secret: `${SECRET}\n` }, 'leading or trailing white space'],
    ['quotation marks around the secret', { secret: `"${SECRET}"` }, 'quotation marks around it'],
    ['a missing prefix', { secret: SECRET.slice(6) }, 'lacks the whsec_ prefix'],
    ['a body that is still base64', { body: Buffer.from(BODY).toString('base64') }, 'still base64'],
    [
      'bytes that are still base64',
      { body: Buffer.from(Buffer.from(BODY).toString('base64')) },
      'still base64',
    ],
    ['a newline after the body', { body: `${BODY}\n` }, 'newline was added'],
    ['a line end after the body', { body: Buffer.from(`${BODY}\r\n`) }, 'newline was added'],
    ['anything else', { secret: 'whsec_other' }, 'Pass the raw bytes as received'],
  ])('refuses a delivery with a hint at %s', async (_mistake, change, hint) => {
    const error = await refusalOf(() => verify({ ...GOOD, ...change }))
    expect(error.code).toBe('no_match')
    expect(error.hint).toContain(hint)
  })

  it.each([
    ['text', ''],
    ['bytes', new Uint8Array()],
  ])('hints at a body parser when the body is empty %s', async (_kind, body) => {
    expect(await refusalOf(() => verify({ ...GOOD, body }))).toMatchObject({
      code: 'no_match',
      status: 401,
      message:
        'The body is empty, so the signature does not match; a body parser probably consumed the body first.',
      hint: 'Mount the webhook route before any body parser, or pass the raw bytes that the parser received.',
    })
  })

  it.each([
    ['no_match', { secret: 'whsec_other_secret' }],
    ['no_match', { secret: `${SECRET}\n` }],
    ['missing_header', { headers: {} }],
    ['malformed_header', { headers: { ...HEADERS, 'X-Service-Timestamp': 'x' } }],
    ['timestamp_too_old', { now: 4e12 }],
    ['event_mismatch', { headers: { ...HEADERS, 'X-Service-Event': 'x' } }],
  ])('does not reveal the secret, the body or the expected signature with %s', async (code, change) => {
    const error = await refusalOf(() => verify({ ...GOOD, ...change }))
    expect(error.code).toBe(code)
    const shown = [error.message, error.hint, error.stack, JSON.stringify(error), String(error)].join('\n')
    for (const hidden of [
      SECRET,
      SECRET.slice(6),
      'whsec_other_secret',
      'How was it?',
      HEADERS['X-Service-Signature'].slice(7),
    ]) {
      expect(shown).not.toContain(hidden)
    }
  })
})
