import { createHmac } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'

const app = express()
app.use(express.json({ limit: '1mb' }))

function onEvent(event) {
  appendFileSync(join(process.env.DATA ?? '.', 'events.jsonl'), `${JSON.stringify(event)}\n`)
}

function isGenuine({ headers, body }) {
  const timestamp = headers['x-service-timestamp']
  const hmac = createHmac('sha256', process.env.FORMWIRE_WEBHOOK_SECRET)
  const expected = hmac.update(`${timestamp}.${JSON.stringify(body)}`).digest('hex')
  return headers['x-service-signature'] === `sha256=${expected}`
}

app.post('/webhooks', (request, response) => {
  if (!isGenuine(request)) return response.sendStatus(401)
  onEvent(request.body)
  response.sendStatus(200)
})

app.post('/contacts', (request, response) => response.json(request.body))
app.put('/contacts', (request, response) => response.json(request.body))

app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
