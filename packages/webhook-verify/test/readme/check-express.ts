import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver } from '@formwire/webhook-verify/express'
import express from 'express'
import { saved, saveResponse } from './responses.ts'

export const app = express()

app.post(
  '/webhooks',
  createReceiver({
    secret: () => process.env.FORMWIRE_WEBHOOK_SECRET,
    dedupe: createMemoryDedupe(),
    on: { 'response.submitted': (event) => saveResponse(event.response) },
  }),
)

// For formwire receiver check --handled-url; not in production.
app.get('/handled', (_request, response) => {
  response.type('text/plain').send(String(saved.length))
})
