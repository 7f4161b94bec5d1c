import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver } from '@formwire/webhook-verify/fastify'
import fastify from 'fastify'
import { saveResponse } from './responses.ts'

export const app = fastify()

// A plugin: bodies stay bytes inside it and are parsed as usual everywhere else.
app.register(
  createReceiver({
    path: '/webhooks',
    secret: () => process.env.FORMWIRE_WEBHOOK_SECRET,
    dedupe: createMemoryDedupe(),
    on: { 'response.submitted': (event) => saveResponse(event.response) },
  }),
)
