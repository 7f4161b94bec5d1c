import { createReceiver } from '@formwire/webhook-verify/hono'
import { Hono } from 'hono'
import { saveResponse } from './responses.ts'

type Env = { Bindings: { FORMWIRE_WEBHOOK_SECRET: string } }

export const app = new Hono<Env>()

// A function of the context, since Workers know their secrets only at the request.
app.post('/webhooks', (context) =>
  createReceiver({
    secret: context.env.FORMWIRE_WEBHOOK_SECRET,
    on: { 'response.submitted': (event) => saveResponse(event.response) },
  })(context),
)
