import type { EventResponse } from '@formwire/webhook-verify'
import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver, type ReceiverOptions } from '@formwire/webhook-verify/express'
import express, { type Express } from 'express'

/** The dependencies of the app, which tests replace. */
export interface AppOptions {
  secret: ReceiverOptions['secret']
  /** Called once per submitted response, and again if the process is killed meanwhile. If it throws, the service retries the delivery. */
  saveResponse: (response: EventResponse) => unknown
  /** The current time. @default the system clock */
  now?: ReceiverOptions['now']
  onError?: ReceiverOptions['onError']
}

/** Creates an Express app with a webhook route and ordinary JSON routes. */
export function createApp({ secret, saveResponse, now, onError }: AppOptions): Express {
  const app = express()
  // Before express.json(): the signature covers the raw bytes, which a parser would consume.
  app.post(
    '/webhooks/formwire',
    createReceiver({
      secret,
      now,
      onError,
      // Enough for one process whose saveResponse changes nothing when it is repeated, since memory does not survive a restart.
      // Several processes share a Redis with createRedisDedupe.
      dedupe: createMemoryDedupe(),
      on: {
        'response.submitted': (event) => saveResponse(event.response),
        'test.ping': (event) => console.log(`test event ${event.deliveryId} of form ${event.form.title}`),
      },
    }),
  )
  app.use(express.json())
  app.post('/echo', (request, response) => {
    response.json(request.body)
  })
  return app
}
