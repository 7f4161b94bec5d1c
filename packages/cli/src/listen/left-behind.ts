import { connect } from 'node:net'
import type { WebhookEndpoint } from '@formwire/contract'
import type { Formwire } from '@formwire/sdk'
import type { Context } from '../context.ts'
import { askYesNo, canAsk } from '../input/ask.ts'
import { leftEndpoints } from './run-journal.ts'

/** An endpoint that an earlier `listen` did not delete. */
interface Left {
  formId: string
  endpoint: WebhookEndpoint
  /** Whether the journal proves it. Otherwise nothing listens at its URL, which has the form that listen registers. */
  certain: boolean
  forget(): void
}

/** URL that `listen` registers without --public-url. */
const LOCAL_URL = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/$/
const CONNECT_TIMEOUT_MS = 500

/**
 * Finds the endpoints of killed `listen` processes and offers to delete them: asks on a terminal, deletes with `--yes`, else
 * reports them. `lists` has the endpoints of the forms that are followed.
 */
export async function offerCleanUp(
  context: Context,
  client: Formwire,
  lists: ReadonlyMap<string, readonly WebhookEndpoint[]>,
): Promise<void> {
  const left = await findLeft(context, client, lists)
  if (left.length === 0) return
  const { output, global } = context
  const names = left.map(({ formId, endpoint }) => `endpoint ${endpoint.id} on form ${formId}`).join(', ')
  const found = `left behind by an earlier listen: ${names}`
  if (!global.yes && canAsk(context)) {
    if (await askYesNo(context, `${found}. Delete?`)) await deleteAll(context, client, left)
    return
  }
  const certain = left.filter((one) => one.certain)
  if (global.yes) await deleteAll(context, client, certain)
  const remaining = global.yes ? left.filter((one) => !one.certain) : left
  if (remaining.length === 0) return
  const commands = remaining.map(
    ({ formId, endpoint }) => `formwire webhooks delete ${formId} ${endpoint.id} --yes`,
  )
  output.announce('left_behind', `${found}; to delete, run: ${commands.join(' && ')}`, {
    endpoints: remaining.map(({ formId, endpoint }) => ({
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
  for (const { form_id: formId, id, url, forget } of leftEndpoints(
    context.runtime,
    context.credentials().baseUrl,
  )) {
    let list = lists.get(formId)
    if (!list) {
      const listing = others.get(formId) ?? listOf(client, formId)
      others.set(formId, listing)
      list = await listing
    }
    const endpoint = list?.find((one) => (id === null || one.id === id) && one.url === url)
    if (endpoint) left.push({ formId, endpoint, certain: true, forget })
    else if (list) forget()
  }
  for (const [formId, list] of lists) {
    for (const endpoint of list) {
      const port = LOCAL_URL.exec(endpoint.url)?.[1]
      if (port === undefined || left.some((one) => one.formId === formId && one.endpoint.id === endpoint.id))
        continue
      if (await refuses(Number(port)))
        left.push({ formId, endpoint, certain: false, forget: () => undefined })
    }
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

/** Whether nothing listens on the port of this machine. */
function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    if (port < 1 || port > 65_535) return resolve(false)
    const socket = connect({ port, host: '127.0.0.1', timeout: CONNECT_TIMEOUT_MS })
    const settle = (refused: boolean): void => {
      socket.destroy()
      resolve(refused)
    }
    socket.once('connect', () => settle(false))
    socket.once('timeout', () => settle(false))
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code === 'ECONNREFUSED'))
  })
}
