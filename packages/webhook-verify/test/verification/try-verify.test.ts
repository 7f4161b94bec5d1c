import { tryVerifyWebhook, WebhookVerificationError } from '@formwire/webhook-verify'
import * as web from '@formwire/webhook-verify/web'
import { describe, expect, it } from 'vitest'
import { GOOD } from '../support.ts'

describe.each([
  { name: 'node', tryVerify: async (options: typeof GOOD) => tryVerifyWebhook(options) },
  { name: 'web', tryVerify: web.tryVerifyWebhook },
])('tryVerifyWebhook ($name)', ({ tryVerify }) => {
  it('[DLV-10] returns the event of a genuine delivery', async () => {
    expect(await tryVerify(GOOD)).toMatchObject({ ok: true, event: { type: 'response.submitted' } })
  })

  it('[DLV-10] returns the error of a delivery that is refused', async () => {
    const result = await tryVerify({ ...GOOD, secret: 'whsec_other' })
    expect(result).toEqual({ ok: false, error: expect.any(WebhookVerificationError) })
    expect(result).toMatchObject({ error: { code: 'no_match' } })
  })

  it('throws an error that is not about the delivery', async () => {
    const now = () => {
      throw new TypeError('broken clock')
    }
    await expect(tryVerify({ ...GOOD, now })).rejects.toThrow(new TypeError('broken clock'))
  })
})
