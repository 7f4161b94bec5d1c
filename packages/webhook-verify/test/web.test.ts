import { verifyWebhook } from '@formwire/webhook-verify/web'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BODY, GOOD, HEADERS, SECRET, SIGNED_AT } from './support.ts'

describe('/web', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('[DLV-10] returns the signed bytes even if their buffer changes during verification', async () => {
    const bytes = Buffer.from(BODY)
    const verifying = verifyWebhook({ ...GOOD, body: bytes })
    bytes.write(BODY.replace('4711', '9999'))
    expect((await verifying).response).toMatchObject({ id: 4711 })
    // The buffer changes right after the signature was verified.
    const verify = crypto.subtle.verify.bind(crypto.subtle)
    const again = Buffer.from(BODY)
    vi.spyOn(crypto.subtle, 'verify').mockImplementation(async (...args) => {
      const holds = await verify(...args)
      again.write(BODY.replace('4711', '9999'))
      return holds
    })
    expect((await verifyWebhook({ ...GOOD, body: again })).response).toMatchObject({ id: 4711 })
  })

  it('copies the list of secrets when it is called', async () => {
    const secret = ['whsec_old', SECRET]
    const verifying = verifyWebhook({ headers: HEADERS, body: BODY, now: SIGNED_AT, secret })
    secret.length = 0
    expect((await verifying).type).toBe('response.submitted')
  })

  it('imports a key again after a failed import, and only once after success', async () => {
    const secret = 'whsec_not_seen_before'
    const importKey = vi.spyOn(crypto.subtle, 'importKey').mockRejectedValueOnce(new Error('not now'))
    const { code } = await verifyWebhook({ ...GOOD, secret }).catch((error) => error)
    expect(code).toBeUndefined()
    for (let count = 0; count < 3; count++) {
      await expect(verifyWebhook({ ...GOOD, secret })).rejects.toMatchObject({ code: 'no_match' })
    }
    expect(importKey).toHaveBeenCalledTimes(2)
  })
})
