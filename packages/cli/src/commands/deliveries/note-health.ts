import { toneOf } from '@formwire/internal/status-tone'
import type { Context } from '../../context.ts'
import type { Endpoints } from '../../control/endpoints.ts'
import { healthText } from '../../control/health.ts'

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
  for (const { id, url, health } of await endpoints.of(formId, webhookId)) {
    const isShown = webhookId !== undefined || health?.state === 'failing' || health?.state === 'paused'
    if (health && isShown) output.note(`endpoint ${id} (${url}): ${healthText(health)}`, toneOf(health.state))
  }
}
