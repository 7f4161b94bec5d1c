// pages/api/webhooks.ts
import { createPagesReceiver } from '@formwire/webhook-verify/next'
import { saveResponse } from './responses.ts'

// Without this, Next parses the body first, and every delivery fails with body_already_parsed.
export const config = { api: { bodyParser: false } }

// biome-ignore lint/style/noDefaultExport: Next requires it
export default createPagesReceiver({
  secret: () => process.env.FORMWIRE_WEBHOOK_SECRET,
  on: { 'response.submitted': (event) => saveResponse(event.response) },
})
