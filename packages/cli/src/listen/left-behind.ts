import type { WebhookEndpoint } from '@formwire/contract'
import type { Formwire } from '@formwire/sdk'
import type { Context } from '../context.ts'
import { askYesNo, canAsk } from '../input/ask.ts'
import { leftEndpoints } from './run-journal.ts'

/** An endpoint that an earlier `listen` created and did not delete. */
interface Left {
  formId: string
  endpoint: WebhookEndpoint
  forget(): void
}

/**
 * Finds the endpoints of killed `listen` processes in their journals and offers to delete them: asks on a terminal, deletes with
 * `--yes`, else reports them. An endpoint that is kept is not offered again. `lists` has the endpoints of the forms that are followed.
 * @param asks false if nothing may be asked, since a command is about to start
 */
export async function offerCleanUp(
  context: Context,
  client: Formwire,
  lists: ReadonlyMap<string, readonly WebhookEndpoint[]>,
  asks: boolean,
): Promise<void> {
  const left = await findLeft(context, client, lists)
  if (left.length === 0) return
  const { output, global } = context
  if (global.yes) return await deleteAll(context, client, left)
  const names = left.map(
    ({ formId, endpoint }) => `endpoint ${endpoint.id} (${endpoint.url}) on form ${formId}`,
  )
  const found = `left behind by an earlier listen: ${names.join(', ')}`
  const commands = left.map(
    ({ formId, endpoint }) => `formwire webhooks delete ${formId} ${endpoint.id} --yes`,
  )
  const howToDelete = `to delete, run: ${commands.join(' && ')}`
  if (asks && canAsk(context)) {
    if (await askYesNo(context, `${found}. Delete?`)) return await deleteAll(context, client, left)
    for (const { forget } of left) forget()
    return output.note(`kept; ${howToDelete}`)
  }
  output.announce('left_behind', `${found}; ${howToDelete}`, {
    endpoints: left.map(({ formId, endpoint }) => ({
      form_id: formId,
      webhook_id: endpoint.id,
      url: endpoint.url,
    })),
  })
}

async function findLeft(
  context: Context,
  client: Formwire,
  lists: ReadonlyMap<string, readonly WebhookEndpoint[]>,
): Promise<Left[]> {
  const left: Left[] = []
  const others = new Map<string, Promise<readonly WebhookEndpoint[] | undefined>>()
  for (const { form_id: formId, id, url, created_at, forget } of leftEndpoints(
    context.runtime,
    context.credentials().baseUrl,
  )) {
    let list = lists.get(formId)
    if (!list) {
      const listing = others.get(formId) ?? listOf(client, formId)
      others.set(formId, listing)
      list = await listing
    }
    const endpoint = list?.find((one) => one.id === id && one.url === url && one.created_at === created_at)
    if (endpoint) left.push({ formId, endpoint, forget })
    else if (list) forget()
  }
  return left
}

/** Returns the endpoints of a form; none if it is gone, undefined if that is not known. */
async function listOf(client: Formwire, formId: string): Promise<readonly WebhookEndpoint[] | undefined> {
  try {
    return (await client.webhooks.list(formId)).data
  } catch (error) {
    return (error as { status?: number }).status === 404 ? [] : undefined
  }
}

async function deleteAll(context: Context, client: Formwire, left: readonly Left[]): Promise<void> {
  for (const { formId, endpoint, forget } of left) {
    try {
      await client.webhooks.delete(formId, endpoint.id)
    } catch (error) {
      if ((error as { status?: number }).status !== 404) throw error
    }
    forget()
    context.output.note(`deleted endpoint ${endpoint.id} on form ${formId}, left behind by an earlier listen`)
  }
}
