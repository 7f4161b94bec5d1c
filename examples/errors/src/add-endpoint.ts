import { type CreatedWebhookEndpoint, type Formwire, OutcomeUnknownError } from '@formwire/sdk'

/**
 * Adds a webhook endpoint exactly once. When the answer is lost the SDK does not send again, since that could add a second one;
 * the secret was only in the lost answer, so an endpoint that turns out to exist is replaced.
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
