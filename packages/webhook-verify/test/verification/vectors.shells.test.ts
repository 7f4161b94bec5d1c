import { spawnSync } from 'node:child_process'
import file from '@formwire/contract/vectors/webhooks.json' with { type: 'json' }
import { signatureHeader } from '@formwire/webhook-verify'
import { expect, it } from 'vitest'
import { signedBytes, webHmacHex } from '../../src/verification/web-hmac.ts'
import { codeOf, verifiers } from '../support.ts'

/** Signs with the openssl command, so that the expected signature does not depend on our code. */
function opensslSignature(secret: string, timestamp: string, body: Uint8Array): string {
  const key = `hexkey:${Buffer.from(secret).toString('hex')}`
  const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', key, '-r']
  const input = Buffer.concat([Buffer.from(`${timestamp}.`), body])
  return `sha256=${spawnSync('openssl', args, { input, encoding: 'utf8' }).stdout.slice(0, 64)}`
}

const TIMESTAMP = '1795253400'
const BODY = Buffer.from('{}')

/** What the vectors of the contract accept, and what only the signature accepts. */
const DELIVERIES = [
  ...file.vectors
    .filter((vector) => vector.expect.ok)
    .map(({ name, secrets, body_base64 }) => ({
      name,
      secret: secrets[0] as string,
      timestamp: TIMESTAMP,
      body: Buffer.from(body_base64, 'base64'),
    })),
  { name: 'an empty body', secret: 'whsec_s', timestamp: TIMESTAMP, body: Buffer.from('') },
  { name: 'bytes that are not UTF-8', secret: 'whsec_s', timestamp: TIMESTAMP, body: Buffer.from([255, 0]) },
  { name: 'timestamp zero', secret: 'whsec_s', timestamp: '0', body: BODY },
  { name: 'a secret of one character', secret: 'k', timestamp: TIMESTAMP, body: BODY },
  { name: 'a secret of one SHA-256 block', secret: 'b'.repeat(64), timestamp: TIMESTAMP, body: BODY },
]

it.each(DELIVERIES)(
  '[DLV-04][DLV-10] $name: signed as openssl signs it, verified, and not with one bit changed',
  async ({ secret, timestamp, body }) => {
    const signature = opensslSignature(secret, timestamp, body)
    expect(signatureHeader(secret, Number(timestamp), body)).toBe(signature)
    expect(`sha256=${await webHmacHex(secret, signedBytes(timestamp, body))}`).toBe(signature)
    const headers = { 'x-service-timestamp': timestamp, 'x-service-signature': signature }
    const changed = Buffer.concat([body, Buffer.from([0])])
    if (body.length > 0) changed[0]! ^= 1
    for (const { verifySignature } of verifiers) {
      const options = { secret, headers, body, toleranceSeconds: Infinity }
      expect(await verifySignature(options)).toMatchObject({ secretIndex: 0 })
      expect(await codeOf(() => verifySignature({ ...options, body: changed }))).toBe('no_match')
    }
  },
)
