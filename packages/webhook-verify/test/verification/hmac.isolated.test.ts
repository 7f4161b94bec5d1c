import { createSecretKey, timingSafeEqual } from 'node:crypto'
import { verifyWebhook } from '@formwire/webhook-verify'
import { afterEach, expect, it, vi } from 'vitest'
import { equalHex } from '../../src/verification/hmac.ts'
import { BODY, GOOD, HEADERS, refusalOf, TIMESTAMP } from '../support.ts'

vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>()
  return {
    ...crypto,
    createSecretKey: vi.fn(crypto.createSecretKey),
    timingSafeEqual: vi.fn(crypto.timingSafeEqual),
  }
})

afterEach(() => {
  vi.clearAllMocks()
})

it('[DLV-10] compares signatures in constant time, even if they do not match', async () => {
  verifyWebhook(GOOD)
  expect(timingSafeEqual).toHaveBeenCalledTimes(1)
  const headers = { ...HEADERS, 'X-Service-Signature': `sha256=${'0'.repeat(64)}` }
  await refusalOf(() => verifyWebhook({ ...GOOD, headers }))
  expect(timingSafeEqual).toHaveBeenCalledTimes(2)
})

it('caches 256 keys, then starts again', async () => {
  vi.resetModules()
  const { hmacHex } = await import('../../src/verification/hmac.ts')
  const sign = (index: number) => hmacHex(`whsec_bounded_${index}`, String(TIMESTAMP), BODY)
  for (let index = 0; index < 256; index++) sign(index)
  expect(createSecretKey).toHaveBeenCalledTimes(256)
  for (let index = 0; index < 256; index++) sign(index)
  expect(createSecretKey).toHaveBeenCalledTimes(256)
  sign(256)
  sign(256)
  expect(createSecretKey).toHaveBeenCalledTimes(257)
  sign(0)
  expect(createSecretKey).toHaveBeenCalledTimes(258)
})

it.each([
  ['', ''],
  ['ab', 'ab'],
  ['a'.repeat(64), 'a'.repeat(63)],
  ['a'.repeat(65), 'a'.repeat(64)],
  ['a'.repeat(64), `${'a'.repeat(63)}b`],
])('[DLV-10] does not take %j for the digest %j', (one, other) => {
  // The comparison before must not count: its buffers are reused.
  expect(equalHex('a'.repeat(64), 'a'.repeat(64))).toBe(true)
  expect([equalHex(one, other), equalHex(other, one)]).toEqual([false, false])
})
