/**
 * Signs sample bodies with the openssl command, so that the expected signatures do not depend on our code, and writes
 * vectors/webhook-signatures.json. Run from packages/contract: `../../node_modules/.bin/tsx scripts/webhook-vectors.ts`.
 * With `--check` it only compares.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = new URL('../vectors/webhook-signatures.json', import.meta.url)

const event = {
  event: 'response.submitted',
  form: { id: 'Fm3xAmpLe0Id', title: 'Customer survey' },
  response: {
    id: 4711,
    submitted_at: '2026-11-21T09:30:00.000Z',
    answers: [{ question_id: 'q_1', title: 'How was it?', type: 'rating', value: 5, text: '5' }],
    score: null,
    max_score: null,
    meta: { device: 'desktop', utm: { source: 'newsletter' } },
  },
}
const ping = { ...event, event: 'test.ping', response: { ...event.response, id: 0 } }
const secret = 'whsec_4f1d2c8e9a7b6053f1e2d3c4b5a69788'

/** The bodies to sign, as text, or as bytes if they are not UTF-8. */
const cases: Array<{ name: string; secret: string; timestamp: string; body: string | Buffer }> = [
  { name: 'a submitted response', secret, timestamp: '1795253400', body: JSON.stringify(event) },
  { name: 'a ping', secret, timestamp: '1795253401', body: JSON.stringify(ping) },
  {
    name: 'white space and a final newline in the body',
    secret,
    timestamp: '1795253402',
    body: `${JSON.stringify(event, null, 2)}\n`,
  },
  {
    name: 'text in several scripts',
    secret,
    timestamp: '1795253403',
    body: JSON.stringify({
      ...event,
      form: { id: 'Fm3xAmpLe0Id', title: 'Zufriedenheit · 満足度 · رضا · 👩🏽‍🚀' },
    }),
  },
  {
    name: 'an event type that was added later',
    secret,
    timestamp: '1795253404',
    body: '{"event":"form.closed","form":{"id":"Fm3xAmpLe0Id"}}',
  },
  { name: 'an empty body', secret, timestamp: '1795253405', body: '' },
  {
    name: 'bytes that are not UTF-8',
    secret,
    timestamp: '1795253406',
    body: Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x7b]),
  },
  { name: 'a body of 10 kB', secret, timestamp: '1795253407', body: Buffer.alloc(10_000, '0123456789') },
  { name: 'timestamp zero', secret, timestamp: '0', body: '{}' },
  { name: 'a secret of one character', secret: 'k', timestamp: '1795253408', body: '{}' },
  {
    name: 'a secret of exactly one SHA-256 block',
    secret: `whsec_${'b'.repeat(58)}`,
    timestamp: '1795253409',
    body: '{}',
  },
  {
    name: 'a secret longer than a block, which is hashed first',
    secret: `whsec_${'c'.repeat(94)}`,
    timestamp: '1795253410',
    body: '{}',
  },
  {
    name: 'a secret with a final newline, which is part of the key',
    secret: `${secret}\n`,
    timestamp: '1795253411',
    body: '{}',
  },
  { name: 'a secret that is not ASCII', secret: 'whsec_schlüssel-🔑', timestamp: '1795253412', body: '{}' },
]

const vectors = cases.map(({ name, secret, timestamp, body }) => {
  const bytes = Buffer.from(body as string)
  return {
    name,
    secret,
    timestamp,
    // Text where possible, so that the file stays readable.
    ...(typeof body === 'string' ? { body } : { body_base64: bytes.toString('base64') }),
    signature: `sha256=${opensslHmac(secret, Buffer.concat([Buffer.from(`${timestamp}.`), bytes]))}`,
  }
})

function opensslHmac(secret: string, message: Buffer): string {
  const hexKey = Buffer.from(secret, 'utf8').toString('hex')
  const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${hexKey}`, '-r']
  const { stdout, status, error } = spawnSync('openssl', args, { input: message, encoding: 'utf8' })
  if (status !== 0) throw new Error(`openssl ${args[0]} failed`, { cause: error })
  return stdout.slice(0, 64)
}

const text = `${JSON.stringify(vectors, null, 2)}\n`
if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text) {
    console.error(
      'vectors/webhook-signatures.json does not match the output of openssl; run scripts/webhook-vectors.ts',
    )
    process.exitCode = 1
  }
} else {
  writeFileSync(FILE, text)
}
