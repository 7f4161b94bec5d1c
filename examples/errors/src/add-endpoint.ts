import { type CreatedWebhookEndpoint, type Formwire, OutcomeUnknownError } from '@formwire/sdk'

/**
 * Adds a webhook endpoint exactly once. If the response is lost, the SDK does not retry, because that could add a second
 * endpoint. The secret was in the lost response, so an endpoint that was created is replaced.
 */
export async function addEndpoint(
  formwire: Formwire,
  formId: string,
  url: string,
): Promise<CreatedWebhookEndpoint> {
  try {
    return await formwire.webhooks.create(formId, { url })
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error
    for await (const endpoint of formwire.webhooks.list(formId)) {
      if (endpoint.url === url) await formwire.webhooks.delete(formId, endpoint.id)
    }
    return formwire.webhooks.create(formId, { url })
  }
}
