import { createSecretKey, timingSafeEqual } from 'node:crypto'
import { signatureHeader, verifyWebhook } from '@formwire/webhook-verify'
import { afterEach, expect, it, vi } from 'vitest'
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

it('caches a bounded number of keys', () => {
  const sign = (secret: string) => signatureHeader(secret, TIMESTAMP, BODY)
  for (let index = 0; index < 300; index++) sign(`whsec_bounded_${index}`)
  expect(createSecretKey).toHaveBeenCalledTimes(300)
  sign('whsec_bounded_299')
  expect(createSecretKey).toHaveBeenCalledTimes(300)
  sign('whsec_bounded_0')
  expect(createSecretKey).toHaveBeenCalledTimes(301)
})
