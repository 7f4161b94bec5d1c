import { createHmac } from 'node:crypto'
import { checkReceiver } from '@formwire/webhook-verify/testing'
import { describe, expect, it } from 'vitest'
import { BareReceiver } from './bare-receiver.ts'
import { IdleClock } from './idle-clock.ts'

const encoded = btoa('secret')
const secret = `whsec_${encoded}`
const hex = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest('hex')

/** Checks a receiver that expects the signature that `sign` returns. */
async function check(sign: (timestamp: string, body: string) => string, respondWith = '') {
  const receiver = new BareReceiver()
  receiver.digitsOf = (signature) => signature
  receiver.expected = (timestamp, body) => sign(timestamp, body.toString())
  const { checks } = await checkReceiver({
    secret,
    handle: async (request) => ({ ...(await receiver.handle(request)), body: respondWith }),
    only: ['genuine', 'test_ping', 'tampered_body'],
    clock: new IdleClock(),
  })
  return checks.map(({ passed, hint }) => [passed, hint])
}

/** As Python's json.dumps writes it. A colon inside a time is between digits. */
const spaced = (body: string) => body.replace(/,|(?<=")[:]/g, '$& ')

describe('a receiver that refuses every genuine delivery', () => {
  it.each<[title: string, sign: (timestamp: string, body: string) => string, hint: string]>([
    [
      'of the JSON with spaces',
      (timestamp, body) => `sha256=${hex(secret, `${timestamp}.${spaced(body)}`)}`,
      'The receiver parses the JSON and serializes it again, with other white space, before it verifies it: keep the raw bytes of the request and compute the HMAC over them.',
    ],
    [
      'of the JSON with sorted names',
      (timestamp, body) => `sha256=${hex(secret, `${timestamp}.${sorted(body)}`)}`,
      'The receiver parses the JSON and serializes it again, with sorted names, before it verifies it: keep the raw bytes of the request and compute the HMAC over them.',
    ],
    [
      'without whsec_',
      (timestamp, body) => `sha256=${hex(encoded, `${timestamp}.${body}`)}`,
      'The receiver leaves out the whsec_ of the secret: the key is the whole text.',
    ],
    [
      'with the decoded secret',
      (timestamp, body) => `sha256=${hex('secret', `${timestamp}.${body}`)}`,
      'The receiver decodes the secret from base64: the key is the whole text, whsec_ included.',
    ],
    [
      'with a line break after the secret',
      (timestamp, body) => `sha256=${hex(`${secret}\n`, `${timestamp}.${body}`)}`,
      'The secret of the receiver ends with a line break: remove it where the secret is read.',
    ],
    [
      'of the body alone',
      (_timestamp, body) => `sha256=${hex(secret, body)}`,
      'The receiver verifies the body alone: the HMAC covers the text of X-Service-Timestamp, a dot and the raw body.',
    ],
    [
      'without the dot',
      (timestamp, body) => `sha256=${hex(secret, timestamp + body)}`,
      'The receiver leaves out the dot: the HMAC covers the text of X-Service-Timestamp, a dot and the raw body.',
    ],
    [
      'without its prefix',
      (timestamp, body) => hex(secret, `${timestamp}.${body}`),
      'The receiver compares the signature without "sha256=": put it in front of the digits that you compute.',
    ],
    [
      'in base64',
      (timestamp, body) =>
        `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64')}`,
      'The receiver compares base64: the signature is "sha256=" and lowercase hex digits.',
    ],
  ])('learns the mistake from the signature that it accepts: %s', async (_title, sign, hint) => {
    expect(await check(sign)).toEqual([
      [false, hint],
      [false, 'It gets 401 like a genuine delivery: fix that first.'],
      [true, null],
    ])
  })

  it('learns what its mistake can be if it accepts none of these signatures, and how it responded', async () => {
    const sign = (timestamp: string, body: string) => `sha256=${hex('whsec_other', `${timestamp}.${body}`)}`
    expect((await check(sign, '{"error":"bad signature"}'))[0]).toEqual([
      false,
      'The receiver refuses a genuine delivery: check that it has the secret of this endpoint, whsec_ included, and verifies the hex HMAC-SHA256 of the timestamp, a dot and the raw body, not of JSON that was serialized again. It responded with 401 "{\\"error\\":\\"bad signature\\"}".',
    ])
  })
})

/** Returns the JSON with the names of each object in order. */
function sorted(body: string): string {
  const names = new Set<string>()
  JSON.parse(body, (name, value) => {
    names.add(name)
    return value
  })
  return JSON.stringify(JSON.parse(body), [...names].sort())
}
