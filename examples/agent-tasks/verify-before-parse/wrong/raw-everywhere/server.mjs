import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyWebhook } from '@formwire/webhook-verify'
import express from 'express'

const app = express()
// No route gets JSON any more.
app.use(express.raw({ type: '*/*', limit: '1mb' }))

function onEvent(event) {
  appendFileSync(join(process.env.DATA ?? '.', 'events.jsonl'), `${JSON.stringify(event)}\n`)
}

app.post('/webhooks', ({ headers, body }, response) => {
  try {
    onEvent(verifyWebhook({ secret: process.env.FORMWIRE_WEBHOOK_SECRET, headers, body }))
    response.sendStatus(200)
  } catch {
    response.sendStatus(401)
  }
})

app.post('/contacts', (request, response) => response.json(request.body))
app.put('/contacts', (request, response) => response.json(request.body))

app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
