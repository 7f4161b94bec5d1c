import { tryVerifyWebhook } from '@formwire/webhook-verify'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { describe, expect, it } from 'vitest'

const SIGNED_AT = new Date('2026-11-21T09:30:00.000Z')
const options = { secret: 'whsec_test', now: SIGNED_AT }

describe('createDelivery', () => {
  const delivery = createDelivery({ timestamp: SIGNED_AT, deliveryId: 'dlv_1' })

  it('[DLV-06] retries with the same id and bytes under a new timestamp and signature', () => {
    const retry = delivery.retry(new Date('2026-11-21T09:31:00.000Z'))
    expect([retry.deliveryId, retry.body, retry.timestampSeconds]).toEqual([
      'dlv_1',
      delivery.body,
      1795253460,
    ])
    expect(retry.headers['X-Service-Signature']).not.toBe(delivery.headers['X-Service-Signature'])
    expect(tryVerifyWebhook({ ...options, ...retry }).ok).toBe(true)
  })

  it('[DLV-08] replays the same bytes under a new id', () => {
    const replay = delivery.replay()
    expect(replay.body).toBe(delivery.body)
    expect(replay.deliveryId).not.toBe('dlv_1')
    expect(delivery.replay({ deliveryId: 'dlv_2' }).deliveryId).toBe('dlv_2')
  })

  it('forges a delivery id, which the signature does not cover', () => {
    const forged = delivery.forgeDeliveryId('dlv_forged')
    expect(forged.headers).toEqual({ ...delivery.headers, 'X-Service-Delivery': 'dlv_forged' })
    expect(tryVerifyWebhook({ ...options, ...forged }).ok).toBe(true)
  })
})
