import type { EndpointHealth } from '@formwire/contract/control'
import type { Context } from '../../context.ts'
import type { Endpoints } from '../../control/endpoints.ts'

/** Returns a health in words, as the console does: `failing since 2026-11-21T12:00:00Z`, `paused since … (3 not sent)`. */
function healthText({ state, since, not_sent: notSent }: EndpointHealth): string {
  const from = since === null ? '' : ` since ${since.replace(/\.\d+/, '')}`
  return `${state === 'unused' ? 'never used' : state}${from}${notSent === 0 ? '' : ` (${notSent} not sent)`}`
}

/**
 * Prints, on a terminal, the health of the endpoints whose deliveries are shown: the one that is asked for, else those that are
 * failing or paused. Servers of earlier versions do not report it.
 */
export async function noteHealth(
  { output }: Context,
  endpoints: Endpoints,
  formId: string | undefined,
  webhookId: number | undefined,
): Promise<void> {
  if (!output.isTerminal || output.json || output.quiet) return
  for (const { id, form_id, url, health } of await endpoints.all()) {
    if (formId !== undefined && form_id !== formId) continue
    const isShown =
      webhookId === undefined ? health?.state === 'failing' || health?.state === 'paused' : id === webhookId
    if (health && isShown) output.note(`endpoint ${id} (${url}): ${healthText(health)}`)
  }
}
