import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { tryVerifyWebhook } from '@formwire/webhook-verify'
import { readRawBody } from '@formwire/webhook-verify/node'

const file = join(process.env.DATA ?? '.', 'handled.txt')
const done = new Set(
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [],
)

createServer(async (request, response) => {
  const body = await readRawBody(request, { maxBodyBytes: 1_048_576 })
  const secret = JSON.parse(readFileSync(process.env.SECRETS_FILE, 'utf8'))
  const { ok, event } = tryVerifyWebhook({ secret, headers: request.headers, body })
  if (ok && event.type === 'response.submitted' && !done.has(event.response.id)) {
    appendFileSync(file, `${event.response.id}\n`)
    done.add(event.response.id)
  }
  // A refusal would only fill the log of the service: it is ignored, and the service does not try again.
  response.end()
}).listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
