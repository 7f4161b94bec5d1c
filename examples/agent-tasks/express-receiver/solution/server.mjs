import { createReceiver } from '@formwire/webhook-verify/express'
import express from 'express'
import { append, stored } from './store.mjs'

const app = express()

// The file is the memory: what it has was handled, also by an earlier process. Form and response id are signed, the delivery id is not.
const keyOf = (formId, responseId) => `${formId}/${responseId}`
const seen = new Set(stored().map(({ form, id }) => keyOf(form, id)))

// Before express.json(), since the signature covers the raw bytes.
app.post(
  '/webhooks',
  createReceiver({
    secret: process.env.FORMWIRE_WEBHOOK_SECRET,
    on: {
      'response.submitted'({ form, response }) {
        const key = keyOf(form.id, response.id)
        // No await between looking and writing: two deliveries at the same time come one after the other.
        if (seen.has(key)) return
        append(form.id, response)
        seen.add(key)
      },
    },
  }),
)

app.use(express.json())
app.post('/echo', (request, response) => response.json(request.body))

app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
