import type { CreatedWebhookEndpoint } from '@formwire/contract'
import type { Formwire } from '@formwire/sdk'
import type { Context } from '../context.ts'

/** Deleting gets this long at the end: nobody waits for a server that is gone. */
const CLEANUP_TIMEOUT_MS = 5_000

/**
 * Creates an endpoint that goes when the command ends, whatever ends it. The clean-up is in place before the request is
 * sent, so that a signal in between leaves nothing behind.
 */
export async function createTemporaryEndpoint(
  context: Context,
  client: Formwire,
  formId: string,
  url: string,
): Promise<CreatedWebhookEndpoint> {
  // Whatever is there under this URL already is not ours to delete.
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

/** After a lost answer the endpoint may exist all the same; its URL tells it. */
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
    // Someone else deleted it, or the form with it: what was wanted.
    if ((error as { status?: number }).status === 404) return
    context.output.announce(
      'endpoint_left',
      `the temporary endpoint ${id} could not be deleted; run: formwire webhooks delete ${formId} ${id} --yes`,
      { form_id: formId, webhook_id: id },
    )
  }
}
