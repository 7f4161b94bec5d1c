import { signatureHeader, type VerifiedEvent, verificationOf, verifyWebhook } from '@formwire/webhook-verify'
import { type DedupeBy, dedupeKeys } from '@formwire/webhook-verify/dedupe'
import { describe, expect, it } from 'vitest'
import { refusalOf } from '../support.ts'
import { ping, submitted, verified } from './events.ts'

const SECONDS = 1795253400

/** Returns a verified event of a later version of the service, with any form and response. */
function later(parts: { form?: unknown; response?: unknown }, deliveryId: string | null = 'dlv_1') {
  const body = JSON.stringify({ event: 'form.closed', ...parts })
  const headers = {
    'x-service-timestamp': String(SECONDS),
    'x-service-signature': signatureHeader('whsec_test', SECONDS, body),
    ...(deliveryId !== null && { 'x-service-delivery': deliveryId }),
  }
  return verifyWebhook({ secret: 'whsec_test', headers, body, toleranceSeconds: Infinity })
}

function signatureOf(event: VerifiedEvent): string {
  return verificationOf(event)?.signature as string
}

describe('dedupeKeys', () => {
  it('[DLV-10] identifies a response by event, form and response id', () => {
    expect(dedupeKeys(verified(submitted(7)), 'signed')).toEqual(['response.submitted:Fm3xAmpLe0Id:7'])
  })

  it('[DLV-02] identifies a ping by its delivery id and its signature, in one slot of a Redis cluster', () => {
    const event = verified(ping('dlv_9'))
    expect(dedupeKeys(event, 'signed')).toEqual([
      '{test.ping:Fm3xAmpLe0Id}:delivery:dlv_9',
      `{test.ping:Fm3xAmpLe0Id}:signature:${signatureOf(event)}`,
    ])
  })

  it('recognizes a ping that was captured and sent again when another build has verified it', async () => {
    const copy = `${new URL('../../src/verification/verification.ts', import.meta.url).href}?another-copy`
    const other = (await import(copy)) as typeof import('../../src/verification/verification.ts')
    const event = verified(ping('dlv_9'))
    expect(other.verificationOf(event)).toEqual({ secretIndex: 0, signature: signatureOf(event) })
    const later = { type: 'test.ping' }
    other.rememberVerification(later, { secretIndex: 1, signature: 'a1' })
    expect(verificationOf(later)).toEqual({ secretIndex: 1, signature: 'a1' })
  })

  it("identifies any event by its delivery id with by: 'delivery'", () => {
    expect(dedupeKeys(verified(submitted(7, 'dlv_3')), 'delivery')).toEqual(['delivery:dlv_3'])
  })

  it("falls back to the signed ids with by: 'delivery' when the delivery id is missing", () => {
    const event = { ...verified(submitted(7)), deliveryId: null } as VerifiedEvent
    expect(dedupeKeys(event, 'delivery')).toEqual(['response.submitted:Fm3xAmpLe0Id:7'])
  })

  it.each<[string, { form?: unknown; response?: unknown }, string]>([
    ['neither form nor response', {}, '{form.closed:}'],
    ['a form alone', { form: { id: 'f' } }, '{form.closed:f}'],
    ['a form and a null response', { form: { id: 'f' }, response: null }, '{form.closed:f}'],
    ['a form without an id', { form: {}, response: { id: 7 } }, '{form.closed:}'],
    ['a null form', { form: null, response: { id: 7 } }, '{form.closed:}'],
    ['a string as the form', { form: 'f', response: { id: 7 } }, '{form.closed:}'],
    ['a response without an id', { form: { id: 'f' }, response: {} }, '{form.closed:f}'],
    ['a response id that is an object', { form: { id: 'f' }, response: { id: {} } }, '{form.closed:f}'],
    ['a response id that is null', { form: { id: 'f' }, response: { id: null } }, '{form.closed:f}'],
  ])('[ENV-04] identifies an unknown event with %s by delivery id and signature', (_what, parts, scope) => {
    const event = later(parts)
    expect(dedupeKeys(event, 'signed')).toEqual([
      `${scope}:delivery:dlv_1`,
      `${scope}:signature:${signatureOf(event)}`,
    ])
  })

  it('[ENV-04] identifies an unknown event by the ids of its form and response, strings included', () => {
    expect(dedupeKeys(later({ form: { id: 'f' }, response: { id: 7 } }), 'signed')).toEqual([
      'form.closed:f:7',
    ])
    expect(dedupeKeys(later({ form: { id: 5 }, response: { id: 'r' } }), 'signed')).toEqual([
      'form.closed:5:r',
    ])
  })

  it('identifies a ping without a delivery id by its signature alone', () => {
    const event = later({}, null)
    expect(dedupeKeys(event, 'signed')).toEqual([`{form.closed:}:signature:${signatureOf(event)}`])
  })

  it('identifies a copied ping, whose signature is gone, by its delivery id alone', () => {
    expect(dedupeKeys({ ...verified(ping('dlv_9')) }, 'signed')).toEqual([
      '{test.ping:Fm3xAmpLe0Id}:delivery:dlv_9',
    ])
  })

  it.each<DedupeBy>(['signed', 'delivery'])('refuses an event without any of these by %s', async (by) => {
    const event = { ...later({}), deliveryId: null } as VerifiedEvent
    expect(await refusalOf(() => dedupeKeys(event, by))).toMatchObject({
      code: 'invalid_option',
      message:
        'Cannot dedupe a "form.closed" event without response id, delivery id and signature; pass the event that the verifier returned.',
    })
  })
})
