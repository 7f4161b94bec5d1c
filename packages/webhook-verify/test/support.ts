import {
  type VerifyOptions,
  verifySignature,
  verifyWebhook,
  WebhookVerificationError,
} from '@formwire/webhook-verify'
import * as web from '@formwire/webhook-verify/web'

/** A delivery signed with openssl. */
export const SECRET = 'whsec_4f1d2c8e9a7b6053f1e2d3c4b5a69788'
export const TIMESTAMP = 1795253400
export const SIGNED_AT = new Date('2026-11-21T09:30:00.000Z')
export const SIGNATURE = 'b598fb1a22d55ba44ffa70b259c881d5831e7b30db0dd8b116bd14e81cca2d53'
export const BODY =
  '{"event":"response.submitted","form":{"id":"Fm3xAmpLe0Id","title":"Customer survey"},"response":{"id":4711,"submitted_at":"2026-11-21T09:30:00.000Z","answers":[{"question_id":"q_1","title":"How was it?","type":"rating","value":5,"text":"5"}],"score":null,"max_score":null,"meta":{"device":"desktop","utm":{"source":"newsletter"}}}}'
export const HEADERS = {
  'X-Service-Event': 'response.submitted',
  'X-Service-Delivery': 'dlv_1',
  'X-Service-Timestamp': '1795253400',
  'X-Service-Signature': `sha256=${SIGNATURE}`,
}

/** Valid options, of which tests change one member. */
export const GOOD: VerifyOptions = { secret: SECRET, headers: HEADERS, body: BODY, now: SIGNED_AT }

/** Both verifiers with one interface, since both must pass the same tests. */
export const verifiers = [
  {
    name: 'node',
    verify: async (options: VerifyOptions) => verifyWebhook(options),
    verifySignature: async (options: VerifyOptions) => verifySignature(options),
  },
  { name: 'web', verify: web.verifyWebhook, verifySignature: web.verifySignature },
] as const

/** Returns the error of a call. Fails if the call succeeds. */
export async function refusalOf(call: () => unknown): Promise<WebhookVerificationError> {
  try {
    await call()
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error
    throw new Error('the error is not a WebhookVerificationError', { cause: error })
  }
  throw new Error('nothing was refused')
}

/** Returns the code of the error of a call. */
export const codeOf = async (call: () => unknown): Promise<string> => (await refusalOf(call)).code
