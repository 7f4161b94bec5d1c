import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createReceiver } from '@formwire/webhook-verify/node'

const file = join(process.env.DATA ?? '.', 'handled.txt')
const done = new Set(
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [],
)

const receive = createReceiver({
  // The newest comes first, by convention of the team: in-flight retries with the old one are refused.
  secret: () => JSON.parse(readFileSync(process.env.SECRETS_FILE, 'utf8'))[0],
  on: {
    'response.submitted'({ response: { id } }) {
      if (done.has(id)) return
      appendFileSync(file, `${id}\n`)
      done.add(id)
    },
  },
})
createServer(receive).listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
