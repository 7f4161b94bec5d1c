import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver } from '@formwire/webhook-verify/fetch'
import { saveResponse } from './responses.ts'

// `Deno.serve(receive)`, or `Bun.serve({ fetch: receive })`.
export const receive = createReceiver({
  secret: () => process.env.FORMWIRE_WEBHOOK_SECRET,
  dedupe: createMemoryDedupe(),
  on: { 'response.submitted': (event) => saveResponse(event.response) },
})
