import type { CreatedWebhookEndpoint } from '@formwire/contract'
import type { Formwire } from '@formwire/sdk'
import type { Context } from '../context.ts'

/** Timeout of the deletion on exit, in milliseconds. */
const CLEANUP_TIMEOUT_MS = 5_000

/**
 * Creates an endpoint that is deleted when the command ends for any reason. The cleanup is registered before the request
 * is sent, so that a signal in between leaves no endpoint behind.
 */
export async function createTemporaryEndpoint(
  context: Context,
  client: Formwire,
  formId: string,
  url: string,
): Promise<CreatedWebhookEndpoint> {
  // Never delete an endpoint that already existed with this URL.
  const known = new Set((await client.webhooks.list(formId)).data.map((endpoint) => endpoint.id))
  const creating = client.webhooks.create(formId, { url })
  context.onExit(async () => {
    const created = await creating.then(
      (endpoint) => endpoint.id,
      () => undefined,
    )
    const ids = created === undefined ? await idsLeftBehind(client, formId, url, known) : [created]
    for (const id of ids) await deleteEndpoint(context, client, formId, id)
  })
  const endpoint = await creating
  context.hide(endpoint.secret)
  return endpoint
}

/** Returns the ids of endpoints created by a request whose response was lost, found by their URL. */
async function idsLeftBehind(
  client: Formwire,
  formId: string,
  url: string,
  known: ReadonlySet<number>,
): Promise<number[]> {
  try {
    const { data } = await client.webhooks.list(formId, { totalTimeoutMs: CLEANUP_TIMEOUT_MS })
    return data
      .filter((endpoint) => endpoint.url === url && !known.has(endpoint.id))
      .map((endpoint) => endpoint.id)
  } catch {
    return []
  }
}

async function deleteEndpoint(context: Context, client: Formwire, formId: string, id: number): Promise<void> {
  try {
    await client.webhooks.delete(formId, id, { totalTimeoutMs: CLEANUP_TIMEOUT_MS })
  } catch (error) {
    // Already deleted, or its form was.
    if ((error as { status?: number }).status === 404) return
    context.output.announce(
      'endpoint_left',
      `could not delete the temporary endpoint ${id}; run: formwire webhooks delete ${formId} ${id} --yes`,
      { form_id: formId, webhook_id: id },
    )
  }
}
