import { verifyWebhook, WebhookVerificationError } from '@formwire/webhook-verify'

export function handle(headers: Record<string, string>, rawBody: Uint8Array): string {
  try {
    const event = verifyWebhook({ secret: process.env.FORMWIRE_WEBHOOK_SECRET ?? '', headers, body: rawBody })
    switch (event.type) {
      case 'response.submitted':
        return `response ${event.response.id} with ${event.response.answers.length} answers`
      case 'test.ping':
        return 'the endpoint works'
      default:
        return `${event.type}: an event of a later version of the service`
    }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return `${error.status} ${error.code}: ${error.hint}`
  }
}
