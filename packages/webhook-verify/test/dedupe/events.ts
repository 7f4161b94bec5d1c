import type { VerifiedEvent } from '@formwire/webhook-verify'
import { verifyWebhook } from '@formwire/webhook-verify'
import { createDelivery, examplePayload, type TestDelivery } from '@formwire/webhook-verify/testing'

export const SIGNED_AT = new Date('2026-11-21T09:30:00.000Z')

/** Verifies a test delivery as a receiver would. */
export function verified({
  secret,
  headers,
  body,
}: Pick<TestDelivery, 'secret' | 'headers' | 'body'>): VerifiedEvent {
  return verifyWebhook({ secret, headers, body, toleranceSeconds: Infinity })
}

/** Creates a delivery of the response with this id. */
export function submitted(responseId = 1, deliveryId = 'dlv_1'): TestDelivery {
  return createDelivery({ payload: examplePayload({ id: responseId }), deliveryId, timestamp: SIGNED_AT })
}

/** Creates a ping with this delivery id. */
export function ping(deliveryId = 'dlv_ping'): TestDelivery {
  return createDelivery({
    event: 'test.ping',
    payload: examplePayload({ id: 0 }),
    deliveryId,
    timestamp: SIGNED_AT,
  })
}
