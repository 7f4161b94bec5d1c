import { spawnSync } from 'node:child_process'
import { signatureHeader } from '@formwire/webhook-verify'
import { describe, expect, it } from 'vitest'
import { signedBytes, webHmacHex } from '../../src/verification/web-hmac.ts'
import { codeOf, vectors, verifiers } from '../support.ts'

const contractDir = new URL('../../../contract/', import.meta.url)

describe('the openssl vectors', () => {
  it.each(vectors)(
    '[DLV-04] $name: has the signature that signing returns',
    async ({ secret, timestamp, bytes, signature }) => {
      expect(signatureHeader(secret, Number(timestamp), bytes)).toBe(signature)
      expect(`sha256=${await webHmacHex(secret, signedBytes(timestamp, bytes))}`).toBe(signature)
    },
  )

  describe.each(verifiers)('$name', ({ verifySignature }) => {
    it.each(vectors)('[DLV-10] $name: verifies, but not with one bit changed', async (vector) => {
      const { secret, timestamp, bytes, signature } = vector
      const headers = { 'x-service-timestamp': timestamp, 'x-service-signature': signature }
      const options = { secret, headers, body: bytes, toleranceSeconds: Infinity }
      expect(await verifySignature(options)).toMatchObject({ secretIndex: 0 })
      const changed = Buffer.concat([bytes, Buffer.from([0])])
      if (bytes.length > 0) changed[0]! ^= 1
      expect(await codeOf(() => verifySignature({ ...options, body: changed }))).toBe('no_match')
    })
  })

  it('equal the current output of openssl', () => {
    const check = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/webhook-vectors.ts', '--check'], {
      cwd: contractDir,
      encoding: 'utf8',
    })
    expect(check).toMatchObject({ status: 0, stderr: '' })
  })
})
