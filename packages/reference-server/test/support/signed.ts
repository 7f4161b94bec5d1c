import { signWebhook } from '@formwire/webhook-verify'

const payload = {
  form: { id: 'abcdefghijkl', title: 'Feedback' },
  response: {
    id: 7,
    submitted_at: '2026-11-21T09:30:00.000Z',
    answers: [],
    score: null,
    max_score: null,
    meta: {},
  },
}

/** What the service sends for response 7, at 2026-11-21T09:30:00Z unless the test says otherwise. */
export const signed = (secret: string, deliveryId = 'dlv_1', timestamp = 1_795_253_400) =>
  signWebhook({ secret, event: 'response.submitted', payload, deliveryId, timestamp })

/** Sends it to a receiver. */
export function sendSigned(
  url: string,
  secret: string,
  { id, timestamp, signal }: { id?: string; timestamp?: number; signal?: AbortSignal } = {},
): Promise<Response> {
  const { headers, body } = signed(secret, id, timestamp)
  return fetch(url, {
    method: 'POST',
    headers: { ...headers },
    body,
    redirect: 'manual',
    ...(signal && { signal }),
  })
}
