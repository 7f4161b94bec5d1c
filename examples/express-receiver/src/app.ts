import type { EventResponse } from '@formwire/webhook-verify'
import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver, type ReceiverOptions } from '@formwire/webhook-verify/express'
import express, { type Express } from 'express'

/** What the app needs from outside, so that a test can stand in for each. */
export interface AppOptions {
  secret: ReceiverOptions['secret']
  /** Called once for each submitted response; when it throws, the service sends the delivery again. */
  saveResponse: (response: EventResponse) => unknown
  /** The current instant. @default the system clock */
  now?: ReceiverOptions['now']
  onError?: ReceiverOptions['onError']
}

/** An Express app with a webhook route beside ordinary JSON routes. */
export function createApp({ secret, saveResponse, now, onError }: AppOptions): Express {
  const app = express()
  // In front of express.json(): the signature covers the raw bytes, which a parser would use up.
  app.post(
    '/webhooks/formwire',
    createReceiver({
      secret,
      now,
      onError,
      // One process, so memory is enough; several share a Redis through createRedisDedupe.
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
