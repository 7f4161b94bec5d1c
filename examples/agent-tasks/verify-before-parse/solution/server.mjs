import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createReceiver } from '@formwire/webhook-verify/express'
import express from 'express'

const app = express()

function onEvent(event) {
  appendFileSync(join(process.env.DATA ?? '.', 'events.jsonl'), `${JSON.stringify(event)}\n`)
}

// Before express.json(), which would consume the bytes that are signed. It also checks the age, in constant time.
app.post(
  '/webhooks',
  createReceiver({ secret: process.env.FORMWIRE_WEBHOOK_SECRET, on: {}, otherwise: onEvent }),
)

app.use(express.json({ limit: '1mb' }))
app.post('/contacts', (request, response) => response.json(request.body))
app.put('/contacts', (request, response) => response.json(request.body))

app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
