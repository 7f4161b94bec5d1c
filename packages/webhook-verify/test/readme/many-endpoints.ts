import { createServer } from 'node:http'
import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver } from '@formwire/webhook-verify/node'
import { saveResponse } from './responses.ts'

/** Secrets by the last segment of the endpoint's URL, such as the form id in /webhooks/Fm3xAmpLe0Id. */
export const secrets = new Map<string, string>()

export const server = createServer(
  createReceiver({
    // The URL is not verified: it only selects the one secret that the delivery is verified with.
    secret: ({ url }) =>
      secrets.get(new URL(url, 'http://localhost').pathname.split('/').at(-1) ?? '') ?? null,
    dedupe: createMemoryDedupe(),
    on: { 'response.submitted': (event) => saveResponse(event.response) },
  }),
)
