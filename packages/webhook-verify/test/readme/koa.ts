import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver } from '@formwire/webhook-verify/koa'
import Koa from 'koa'
import { saveResponse } from './responses.ts'

const receive = createReceiver({
  secret: () => process.env.FORMWIRE_WEBHOOK_SECRET,
  dedupe: createMemoryDedupe(),
  on: { 'response.submitted': (event) => saveResponse(event.response) },
})

export const app = new Koa()

app.use((context, next) => (context.path === '/webhooks' ? receive(context) : next()))
