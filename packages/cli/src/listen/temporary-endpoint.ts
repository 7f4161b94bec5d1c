import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { hostname, userInfo } from 'node:os'
import { dirname } from 'node:path'
import type { CreatedWebhookEndpoint, WebhookEndpoint } from '@formwire/contract'
import { isForeignPage } from '@formwire/internal/foreign-page'
import { urlOf } from '@formwire/internal/url'
import type { Formwire } from '@formwire/sdk'
import { profilesPath } from '../config/profiles.ts'
import type { Context } from '../context.ts'
import { Failure } from '../failure.ts'
import { isMissing, toFailure } from '../report.ts'
import type { ConfigEnvironment } from '../runtime.ts'
import { asClause, reasonOf } from '../service-message.ts'

/** Timeout of the deletion on exit, in milliseconds. */
const CLEANUP_TIMEOUT_MS = 5_000
const HOST = '127.0.0.1'
/** Milliseconds after which a port that does not respond counts as one that is in use. */
const CONNECT_TIMEOUT_MS = 1_000

/** Returns the path of the temporary endpoints on this host of this user, by which the next run finds those of a killed one. */
export function temporaryPath(runtime: ConfigEnvironment): string {
  const owner = [hostname(), process.getuid?.() ?? userInfo().username, dirname(profilesPath(runtime))]
  const hash = createHash('sha256').update(JSON.stringify(owner)).digest('hex')
  return `/formwire-listen-${hash.slice(0, 16)}`
}

/** The endpoints of the forms that are followed. */
type EndpointLists = ReadonlyMap<string, readonly WebhookEndpoint[]>

/** Deletes the temporary endpoints on this host whose run was killed: their port refuses a connection. */
export async function deleteLeftBehind(
  { output, runtime }: Context,
  client: Formwire,
  lists: EndpointLists,
): Promise<void> {
  const path = temporaryPath(runtime)
  for (const [formId, endpoints] of lists) {
    for (const { id, url } of endpoints) {
      const { protocol, hostname: host, port, pathname } = urlOf(url) ?? {}
      if (protocol !== 'http:' || host !== HOST || pathname !== path) continue
      if (!(await refusesConnection(Number(port || 80)))) continue
      await client.webhooks.delete(formId, id).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
      output.note(`deleted endpoint ${id} on form ${formId}, left behind by an earlier listen`, 'good')
    }
  }
}

function refusesConnection(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port, timeout: CONNECT_TIMEOUT_MS })
    const settle = (isRefused: boolean): void => {
      socket.destroy()
      resolve(isRefused)
    }
    socket.once('connect', () => settle(false))
    socket.once('timeout', () => settle(false))
    socket.once('error', ({ code }: NodeJS.ErrnoException) => settle(code === 'ECONNREFUSED'))
  })
}

/** Names the endpoints that have the URL of `--public-url` already. Only the user knows whether a killed run has left them. */
export function nameOthers({ output }: Context, publicUrl: string, lists: EndpointLists): void {
  for (const [formId, endpoints] of lists) {
    for (const { id, url } of endpoints) {
      if (url !== publicUrl) continue
      output.announce(
        'left_behind',
        `endpoint ${id} on form ${formId} has this URL, too, perhaps since an earlier listen was killed; to delete it, run: ${deletionOf(formId, id)}`,
        { form_id: formId, webhook_id: id, url },
      )
    }
  }
}

const deletionOf = (formId: string, id: number): string => `formwire webhooks delete ${formId} ${id} --yes`

/** An endpoint to create. */
interface TemporaryEndpoint {
  formId: string
  url: string
  /** Whether the URL is that of `--public-url`. */
  isPublic: boolean
  /** The endpoints that existed before, which are never deleted. */
  known: readonly WebhookEndpoint[]
}

/**
 * Creates an endpoint, which is deleted when the command ends for any reason, or by `remove` before that. Its cleanup is registered
 * before the request is sent, so that a signal in between leaves no endpoint behind.
 * @throws Failure exit 1 if the service refuses the URL, exit 4 if the key may not create endpoints
 */
export async function createTemporaryEndpoint(
  context: Context,
  client: Formwire,
  { formId, url, isPublic, known }: TemporaryEndpoint,
): Promise<{ endpoint: CreatedWebhookEndpoint; remove(): Promise<void> }> {
  let id: number | null = null
  const creating = client.webhooks.create(formId, { url })
  const remove = async (): Promise<void> => {
    const created = await creating.then(
      (endpoint) => [endpoint.id],
      () => undefined,
    )
    const knownIds = new Set(known.map((endpoint) => endpoint.id))
    for (const one of created ?? (await idsOf(context, client, formId, url)))
      if (!knownIds.has(one)) await deleteEndpoint(context, client, formId, one)
  }
  const cancel = context.onExit(remove, () => reportForced(context, formId, id))
  try {
    const endpoint = await creating
    id = endpoint.id
    context.hide(endpoint.secret)
    return {
      endpoint,
      async remove() {
        await remove()
        cancel()
      },
    }
  } catch (error) {
    throw refusal(error, formId, url, isPublic) ?? error
  }
}

/** Returns the ids of the endpoints with this URL: one may be from a request whose response was lost. */
async function idsOf(context: Context, client: Formwire, formId: string, url: string): Promise<number[]> {
  try {
    const { data } = await client.webhooks.list(formId, { totalTimeoutMs: CLEANUP_TIMEOUT_MS })
    return data.filter((endpoint) => endpoint.url === url).map(({ id }) => id)
  } catch {
    reportForced(context, formId, null)
    return []
  }
}

async function deleteEndpoint(
  { output }: Context,
  client: Formwire,
  formId: string,
  id: number,
): Promise<void> {
  try {
    await client.webhooks.delete(formId, id, { totalTimeoutMs: CLEANUP_TIMEOUT_MS })
    output.note(`deleted temporary endpoint ${id} on form ${formId}`, 'good')
  } catch (error) {
    // Already deleted, or its form was.
    if (isMissing(error)) return
    const text = `could not delete the temporary endpoint ${id}; run: ${deletionOf(formId, id)}`
    output.announce('endpoint_left', text, { form_id: formId, webhook_id: id })
  }
}

/** Reports that the command ends and an endpoint may be left. */
function reportForced({ output }: Context, formId: string, id: number | null): void {
  const text =
    id === null
      ? `a temporary endpoint on form ${formId} may still exist; see formwire webhooks list ${formId}`
      : `the temporary endpoint ${id} on form ${formId} may still exist; to delete it, run: ${deletionOf(formId, id)}`
  output.announce('endpoint_left', text, { form_id: formId, webhook_id: id })
}

/**
 * Returns the failure for a URL that the service refuses (HOOK-04), or for a key that may not create endpoints but read responses;
 * undefined for another error.
 */
function refusal(error: unknown, formId: string, url: string, isPublic: boolean): Failure | undefined {
  const failure = toFailure(error)
  const { status, details } = failure
  const isRefused = status === 422 && details?.field === 'url'
  if (isForeignPage(error) || !(status === 403 || isRefused)) return undefined
  const poll = `formwire listen --form ${formId} --poll`
  const follow = `follow the form through the API instead, without an endpoint: ${poll}`
  const [message, ...hints] =
    status === 403
      ? [
          `could not listen to form ${formId}`,
          'an endpoint requires a write key of an owner or editor: see formwire whoami',
          `a read key can follow the form through the API: ${poll}`,
        ]
      : isPublic
        ? [
            `the service refused the endpoint URL ${url}`,
            '--public-url must be an https URL that the service can reach',
            follow,
          ]
        : [
            `the service cannot reach this machine at ${url}`,
            follow,
            'or register the URL of a tunnel to this machine: --public-url https://…',
          ]
  return new Failure(`${message}: ${asClause(reasonOf(error))}`, {
    ...failure,
    hint: hints.join('\n'),
    cause: error,
  })
}
