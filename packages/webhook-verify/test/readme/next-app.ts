// app/webhooks/route.ts
import { createReceiver } from '@formwire/webhook-verify/next'
import { saveResponse } from './responses.ts'

export const POST = createReceiver({
  // A function, since `next build` loads this file without the production environment.
  secret: () => process.env.FORMWIRE_WEBHOOK_SECRET,
  on: { 'response.submitted': (event) => saveResponse(event.response) },
})
