import * as z from 'zod'
import type { ZodOpenApiPathItemObject } from 'zod-openapi'
import type { KnownEventType, WebhookEvent } from '../../src/index.ts'
import { eventSchemas } from './components.ts'
import * as examples from './examples.ts'

const headers = (event: KnownEventType) =>
  z.object({
    'X-Service-Event': z
      .literal(event)
      .meta({ description: 'Type of the event. Not signed; rely on the body.', example: event }),
    'X-Service-Delivery': z.string().meta({
      description: 'Id of the delivery, the same for all attempts. A replay has a new id.',
      example: 'dlv_8mP2xQ7rT4vK9sZa',
    }),
    'X-Service-Timestamp': z
      .string()
      .regex(/^\d+$/)
      .meta({ description: 'When this attempt was signed, in Unix seconds.', example: '1795253400' }),
    'X-Service-Signature': z
      .string()
      .regex(/^sha256=[0-9a-f]{64}$/)
      .meta({
        description:
          '`sha256=` and the hex HMAC-SHA256 of timestamp + "." + raw body, keyed with the endpoint secret.',
        example: `sha256=${'4f'.repeat(32)}`,
      }),
  })

const delivery = (
  event: KnownEventType,
  operationId: string,
  summary: string,
  example: WebhookEvent,
): ZodOpenApiPathItemObject => ({
  post: {
    operationId,
    tags: ['Events'],
    summary,
    description:
      'Verify the signature first, and ignore deliveries that you have already handled. Respond with any 2xx within 10 seconds; redirects are not followed. Failed attempts are retried after 1 minute, 5 minutes, 30 minutes, 2 hours and 12 hours.',
    security: [],
    requestParams: { header: headers(event) },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: eventSchemas[event], example } },
    },
    responses: {
      '2XX': { description: 'The delivery succeeded.' },
      default: { description: 'The attempt failed and is retried.' },
    },
  },
})

/** What the service sends to a webhook endpoint. */
export const webhooks = {
  'response.submitted': delivery(
    'response.submitted',
    'onResponseSubmitted',
    'A response was submitted',
    examples.submittedEvent,
  ),
  'test.ping': delivery('test.ping', 'onTestPing', 'A test event was sent from the app', examples.pingEvent),
}
