import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { hostname, userInfo } from 'node:os'
import { dirname } from 'node:path'
import type { WebhookEndpoint } from '@formwire/contract'
import { urlOf } from '@formwire/internal/url'
import type { Formwire } from '@formwire/sdk'
import { profilesPath } from '../config/profiles.ts'
import type { Context } from '../context.ts'
import { isMissing } from '../report.ts'
import type { ConfigEnvironment } from '../runtime.ts'

/** The endpoints of the forms that are followed. */
type EndpointLists = ReadonlyMap<string, readonly WebhookEndpoint[]>

const HOST = '127.0.0.1'
/** Milliseconds after which a port that does not respond counts as one that is in use. */
const CONNECT_TIMEOUT_MS = 1_000

/** Returns the path of the temporary endpoints on this host of this user, by which the next run finds those of a killed one. */
export function temporaryPath(runtime: ConfigEnvironment): string {
  const owner = [hostname(), process.getuid?.() ?? userInfo().username, dirname(profilesPath(runtime))]
  const hash = createHash('sha256').update(JSON.stringify(owner)).digest('hex')
  return `/formwire-listen-${hash.slice(0, 16)}`
}

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
        `endpoint ${id} on form ${formId} has this URL, too, perhaps since an earlier listen was killed; to delete it, run: formwire webhooks delete ${formId} ${id} --yes`,
        { form_id: formId, webhook_id: id, url },
      )
    }
  }
}
