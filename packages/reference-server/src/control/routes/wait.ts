import { LIMITS } from '@formwire/contract'
import type { Context } from '../../context.ts'
import { rateLimited, ServiceError } from '../../domain/service-error.ts'
import { readJsonObject } from '../../http/body.ts'
import { item, jsonText } from '../../http/json-response.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { type Route, route } from '../../http/router.ts'
import { readWait, type Wait, waitFor } from '../wait.ts'
import type { ControlParts } from './shared.ts'

/** Most concurrent waits. */
const WAITS_MAX = 256

/** The route of waits, `/_app/wait`. */
export function waitRoutes({ context, journal, isHistory, closing }: ControlParts): Route[] {
  let waits = 0
  return [
    route('POST', '/_app/wait', async ({ request }) => {
      const wait = readWait(await readJsonObject(request, LIMITS.bodyMaxBytes))
      if (waits >= WAITS_MAX) throw rateLimited(`${WAITS_MAX} waits are pending; end one first.`)
      waits += 1
      try {
        const signal = AbortSignal.any([request.signal, closing])
        const result = await waitFor(wait, { context, journal, isHistory, signal })
        if ('found' in result) return item(result.found)
        if (closing.aborted) throw new ServiceError('server_error', 'The server is closing.')
        return timeout(wait, result.nearest, context)
      } finally {
        waits -= 1
      }
    }),
  ]
}

/** Written here, since `unspecified` may remove the details of the API's errors. */
function timeout({ subject, timeoutMs }: Wait, nearest: string, { clock }: Context): OutgoingMessage {
  const hint =
    clock.mode === 'manual'
      ? ' The clock is manual: POST /_app/clock/advance for anything that is scheduled for later.'
      : ''
  const message = `Timed out after ${timeoutMs} ms waiting for a ${subject} that matches.${hint}`
  return jsonText(408, JSON.stringify({ error: { code: 'timeout', message, details: { nearest } } }))
}
