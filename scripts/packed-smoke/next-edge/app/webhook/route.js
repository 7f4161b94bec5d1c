import { Formwire } from '@formwire/sdk'
import { createReceiver } from '@formwire/webhook-verify/next'
import { signWebhook } from '@formwire/webhook-verify/web'

export const runtime = 'edge'

const secret = 'whsec_edge'
let handled = 0

export const POST = createReceiver({
  secret,
  on: {},
  otherwise: () => {
    handled += 1
  },
})

/** Sends a delivery to the handler above, and a request with the SDK. */
export async function GET() {
  const { headers, body } = await signWebhook({ event: 'order.paid', payload: {}, secret })
  const { status } = await POST(new Request('https://app.example/webhook', { method: 'POST', headers, body }))
  const formwire = new Formwire({
    apiKey: 'svc_edge',
    baseUrl: 'https://api.example',
    fetch: async () => Response.json({ data: { user: { name: 'Ada' } } }),
  })
  return Response.json({ status, handled, name: (await formwire.me()).user.name })
}
