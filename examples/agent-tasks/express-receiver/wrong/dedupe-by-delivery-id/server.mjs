import { createReceiver } from '@formwire/webhook-verify/express'
import express from 'express'
import { append } from './store.mjs'

const app = express()
const seen = new Set()

app.post(
  '/webhooks',
  createReceiver({
    secret: process.env.FORMWIRE_WEBHOOK_SECRET,
    on: {
      'response.submitted'({ deliveryId, form, response }) {
        // A replay has another delivery id.
        if (seen.has(deliveryId)) return
        append(form.id, response)
        seen.add(deliveryId)
      },
    },
  }),
)

app.use(express.json())
app.post('/echo', (request, response) => response.json(request.body))

app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
