import { createServer } from 'node:http'
import { createReceiver } from '@formwire/webhook-verify/node'
import { append, lines } from '../support/files.ts'

const handled = new Set(lines('handled.txt'))
const receiver = createReceiver({
  secret: process.env.FORMWIRE_WEBHOOK_SECRET ?? '',
  on: {
    'response.submitted': ({ response }) => {
      const id = String(response.id)
      if (handled.has(id)) return
      append('handled.txt', id)
      handled.add(id)
    },
  },
})
createServer(receiver).listen(Number(process.env.PORT), '127.0.0.1')
