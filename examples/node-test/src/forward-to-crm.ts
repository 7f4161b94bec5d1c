import { createServer, type Server } from 'node:http'
import { verifyWebhook, WebhookVerificationError } from '@formwire/webhook-verify'

/** Id of the form's question. Use the id rather than the type: the service documents the names of only two types. */
const EMAIL_QUESTION = 'email'

/** What is sent to the CRM for a response. */
export interface Contact {
  responseId: number
  email: string
}

/** Configuration of the receiver. */
export interface Config {
  /** The endpoint's secret, `whsec_…`. */
  secret: string
  /** The current instant in milliseconds. @default the system clock */
  now?: () => number
}

/**
 * Creates a receiver that forwards the email of every new response. It returns 204 when that is done, 401 if the delivery
 * is not signed with the secret, and 500 if the CRM fails, so that the service retries the delivery.
 */
export function crmReceiver(config: Config, save: (contact: Contact) => Promise<void>): Server {
  return createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk)
    try {
      const event = verifyWebhook({ ...config, headers: request.headers, body: Buffer.concat(chunks) })
      // Other event types may be added: accept them and do nothing.
      if (event.type === 'response.submitted') {
        const email = event.response.answers.find((answer) => answer.question_id === EMAIL_QUESTION)?.value
        if (typeof email === 'string') await save({ responseId: event.response.id, email })
      }
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end()
    }
  })
}
