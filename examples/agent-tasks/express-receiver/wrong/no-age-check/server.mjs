import { createHmac, timingSafeEqual } from 'node:crypto'
import express from 'express'
import { append, stored } from './store.mjs'

const app = express()
const seen = new Set(stored().map(({ id }) => id))

// A captured delivery stays valid for ever.
function isGenuine({ headers, body }) {
  const signed = `${headers['x-service-timestamp']}.${body}`
  const expected = createHmac('sha256', process.env.FORMWIRE_WEBHOOK_SECRET).update(signed).digest('hex')
  const given = Buffer.from(headers['x-service-signature'] ?? '')
  return given.length === 71 && timingSafeEqual(given, Buffer.from(`sha256=${expected}`))
}

app.post('/webhooks', express.text({ type: '*/*', limit: '1mb' }), (request, response) => {
  if (!isGenuine(request)) return response.sendStatus(401)
  const { event, form, response: submitted } = JSON.parse(request.body)
  if (event === 'response.submitted' && !seen.has(submitted.id)) {
    append(form.id, submitted)
    seen.add(submitted.id)
  }
  response.sendStatus(200)
})

app.use(express.json())
app.post('/echo', (request, response) => response.json(request.body))

app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
