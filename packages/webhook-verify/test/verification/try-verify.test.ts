import { tryVerifyWebhook, WebhookVerificationError } from '@formwire/webhook-verify'
import { expect, it } from 'vitest'
import { GOOD } from '../support.ts'

it('[DLV-10] returns the event of a genuine delivery', () => {
  expect(tryVerifyWebhook(GOOD)).toMatchObject({ ok: true, event: { type: 'response.submitted' } })
})

it('[DLV-10] returns the error of a delivery that is refused', () => {
  const result = tryVerifyWebhook({ ...GOOD, secret: 'whsec_other' })
  expect(result).toEqual({ ok: false, error: expect.any(WebhookVerificationError) })
  expect(result).toMatchObject({ error: { code: 'no_match' } })
})

it('throws an error that is not about the delivery', () => {
  const now = () => {
    throw new TypeError('broken clock')
  }
  expect(() => tryVerifyWebhook({ ...GOOD, now })).toThrow(new TypeError('broken clock'))
})
