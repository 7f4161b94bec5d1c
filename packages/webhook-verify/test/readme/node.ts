import { createServer } from 'node:http'
import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver } from '@formwire/webhook-verify/node'
import { saveResponse } from './responses.ts'

export const server = createServer(
  createReceiver({
    secret: () => process.env.FORMWIRE_WEBHOOK_SECRET,
    dedupe: createMemoryDedupe(),
    on: { 'response.submitted': (event) => saveResponse(event.response) },
  }),
)
