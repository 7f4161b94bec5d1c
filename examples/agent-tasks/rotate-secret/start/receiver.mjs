import { appendFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { tryVerifyWebhook } from '@formwire/webhook-verify'
import { readRawBody } from '@formwire/webhook-verify/node'

const [secret] = JSON.parse(readFileSync(process.env.SECRETS_FILE, 'utf8'))

createServer(async (request, response) => {
  const body = await readRawBody(request, { maxBodyBytes: 1_048_576 })
  const { ok, event } = tryVerifyWebhook({ secret, headers: request.headers, body })
  if (ok && event.type === 'response.submitted')
    appendFileSync(join(process.env.DATA ?? '.', 'handled.txt'), `${event.response.id}\n`)
  response.end()
}).listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
