import { createRedisDedupe } from '@formwire/webhook-verify/dedupe/redis'
import { createReceiver } from '@formwire/webhook-verify/node'
import { createClient } from 'redis'
import { saveResponse } from './responses.ts'

export async function openReceiver(redisUrl: string) {
  const client = createClient({ url: redisUrl })
  await client.connect()
  const receive = createReceiver({
    secret: () => process.env.FORMWIRE_WEBHOOK_SECRET,
    dedupe: createRedisDedupe(client),
    on: { 'response.submitted': (event) => saveResponse(event.response) },
  })
  return { receive, close: () => client.destroy() }
}
