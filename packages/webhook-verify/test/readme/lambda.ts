import { createReceiver } from '@formwire/webhook-verify/lambda'
import { saveResponse } from './responses.ts'

// API Gateway (REST and HTTP APIs), function URLs and load balancers; base64 bodies are decoded.
export const handler = createReceiver({
  secret: () => process.env.FORMWIRE_WEBHOOK_SECRET,
  on: { 'response.submitted': (event) => saveResponse(event.response) },
})
