import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyWebhook } from '@formwire/webhook-verify'
import express from 'express'

const app = express()

function onEvent(event) {
  appendFileSync(join(process.env.DATA ?? '.', 'events.jsonl'), `${JSON.stringify(event)}\n`)
}

// Without a limit, express.raw() takes 100 kB.
app.post('/webhooks', express.raw({ type: '*/*' }), ({ headers, body }, response) => {
  try {
    onEvent(verifyWebhook({ secret: process.env.FORMWIRE_WEBHOOK_SECRET, headers, body }))
    response.sendStatus(200)
  } catch {
    response.sendStatus(401)
  }
})

app.use(express.json({ limit: '1mb' }))
app.post('/contacts', (request, response) => response.json(request.body))
app.put('/contacts', (request, response) => response.json(request.body))

app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
