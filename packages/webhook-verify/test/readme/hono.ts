import { createReceiver } from '@formwire/webhook-verify/hono'
import { Hono } from 'hono'
import { saveResponse } from './responses.ts'

type Env = { Bindings: { FORMWIRE_WEBHOOK_SECRET: string } }

export const app = new Hono<Env>()

// Created per request, since Workers pass secrets with the request.
app.post('/webhooks', (context) =>
  createReceiver({
    secret: () => context.env.FORMWIRE_WEBHOOK_SECRET,
    on: { 'response.submitted': (event) => saveResponse(event.response) },
  })(context),
)
