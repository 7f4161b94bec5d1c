import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver } from '@formwire/webhook-verify/express'
import express from 'express'
import { saveResponse } from './responses.ts'

export const app = express()

// Before express.json(): the signature covers the raw bytes.
app.post(
  '/webhooks',
  createReceiver({
    secret: () => process.env.FORMWIRE_WEBHOOK_SECRET,
    dedupe: createMemoryDedupe(),
    on: { 'response.submitted': (event) => saveResponse(event.response) },
  }),
)
app.use(express.json())
