import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver } from '@formwire/webhook-verify/express'
import express from 'express'
import { append } from './store.mjs'

const app = express()

app.post(
  '/webhooks',
  createReceiver({
    secret: process.env.FORMWIRE_WEBHOOK_SECRET,
    // A restart forgets it.
    dedupe: createMemoryDedupe(),
    on: { 'response.submitted': ({ form, response }) => append(form.id, response) },
  }),
)

app.use(express.json())
app.post('/echo', (request, response) => response.json(request.body))

app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
