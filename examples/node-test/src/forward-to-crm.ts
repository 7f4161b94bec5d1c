import { createServer, type Server } from 'node:http'
import { verifyWebhook, WebhookVerificationError } from '@formwire/webhook-verify'

/** What the CRM is told of a response. */
export interface Contact {
  responseId: number
  email: string
}

/** What the receiver has to know. */
export interface Config {
  /** The endpoint's `whsec_…`. */
  secret: string
  /** The current instant in milliseconds. @default the machine's clock */
  now?: () => number
}

/**
 * A receiver that passes the email of every new response on. It answers 204 when that is done, 401 to what is not signed
 * with the secret, and 500 when the CRM fails: then the delivery is tried again.
 */
export function crmReceiver(config: Config, save: (contact: Contact) => Promise<void>): Server {
  return createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk)
    try {
      const event = verifyWebhook({ ...config, headers: request.headers, body: Buffer.concat(chunks) })
      // Events of other kinds may come one day: they are taken, and nothing is done.
      if (event.type === 'response.submitted') {
        const email = event.response.answers.find((answer) => answer.type === 'email')?.value
        if (typeof email === 'string') await save({ responseId: event.response.id, email })
      }
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end()
    }
  })
}
