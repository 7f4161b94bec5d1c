import { LIMITS } from '@formwire/contract'
import type { ClockState, Fault, ReceiverStep } from '@formwire/contract/control'
import { InvalidSpanError, type Span } from '../../clock/index.ts'
import type { Context } from '../../context.ts'
import { formatTimestamp } from '../../domain/instant.ts'
import { invalid, notFound, orNotFound, ServiceError } from '../../domain/service-error.ts'
import { readJsonObject, readOptionalJsonObject } from '../../http/body.ts'
import { item, jsonText } from '../../http/json-response.ts'
import type { OutgoingMessage } from '../../http/message.ts'
import { type Route, route } from '../../http/router.ts'
import { rateLimited } from '../../policy/rate-limit.ts'
import { refuseUnknownFields } from '../../services/input.ts'
import { createTurns, readWait, type Wait, waitFor } from '../wait.ts'
import { type ControlParts, list, one, pathId, withBody } from './shared.ts'

/** Largest snapshot that can be restored, in bytes. */
const SNAPSHOT_MAX_BYTES = 256 * 1_048_576

/** Routes for tests under `/_app`: clock, reset, snapshots, the request journal, faults. */
export const testingRoutes = (parts: ControlParts): Route[] => {
  const { app, context, receivers } = parts
  return [
    one('GET', '/_app/clock', () => clockState(context)),
    withBody('POST', '/_app/clock/advance', () => async (body) => {
      refuseUnknownFields(body, ['by'])
      await advance(context, body.by)
      return clockState(context)
    }),
    one('POST', '/_app/reset', async () => {
      app.reset()
      await receivers.clear()
      return { reset: true }
    }),
    route('GET', '/_app/snapshot', () => {
      const response = jsonText(200, JSON.stringify({ data: app.snapshot.take() }))
      response.headers['cache-control'] = 'no-store'
      return response
    }),
    one('PUT', '/_app/snapshot', async ({ request }) => {
      app.snapshot.restore(await readJsonObject(request, SNAPSHOT_MAX_BYTES))
      return { restored: true }
    }),
    list('/_app/requests', () => app.requests.list()),
    one('GET', '/_app/requests/:id', ({ params }) => orNotFound(app.requests.get(params.id ?? ''))),
    list('/_app/faults', () => app.faults.list()),
    withBody('POST', '/_app/faults', () => (body: Fault) => app.faults.add(body), 201),
    one('DELETE', '/_app/faults/:id', ({ params }) => {
      if (!app.faults.remove(pathId(params.id))) throw notFound()
      return { deleted: true }
    }),
    one('DELETE', '/_app/faults', () => {
      app.faults.clear()
      return { deleted: true }
    }),
  ]
}

/** Returns the mode and the current time of the clock. */
export const clockState = ({ clock, settings }: Context): ClockState => ({
  mode: clock.mode,
  now: formatTimestamp(clock.now(), settings.unspecified.timestamps),
})

async function advance({ clock }: Context, by: unknown): Promise<void> {
  try {
    await clock.advance(by as Span)
  } catch (error) {
    if (error instanceof InvalidSpanError) throw invalid('by', error.message)
    throw error
  }
}

/** Most concurrent waits. */
const WAITS_MAX = 256

/** The route of waits, `/_app/wait`. */
export function waitRoutes({ context, journal, closing }: ControlParts): Route[] {
  const takeTurn = createTurns()
  let waits = 0
  return [
    route('POST', '/_app/wait', async ({ request }) => {
      const wait = readWait(await readJsonObject(request, LIMITS.bodyMaxBytes))
      if (waits >= WAITS_MAX) throw rateLimited(`${WAITS_MAX} waits are pending; end one first.`)
      waits += 1
      try {
        const signal = AbortSignal.any([request.signal, closing])
        const result = await waitFor(wait, { context, journal, takeTurn, signal })
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

const RECEIVER = '/_app/receivers/:id'
const BUILT_IN = '/_app/receivers/built-in'

/** Reads the body of a new script. Its steps are checked by the receiver. */
function readScript(body: Readonly<Record<string, unknown>>): unknown {
  refuseUnknownFields(body, ['script'])
  if (body.script === undefined) throw invalid('script', 'script is required: an array of steps.')
  return body.script
}

/** Routes of mock receivers under `/_app`. The built-in one comes first, since the next routes would read its name as an id. */
export const receiverRoutes = ({ receivers, builtIn }: ControlParts): Route[] => [
  one('GET', BUILT_IN, () => builtIn.start()),
  withBody('PUT', `${BUILT_IN}/script`, () => async (body) => {
    const script = readScript(body)
    await builtIn.start()
    return builtIn.setScript(script as ReceiverStep[])
  }),
  list('/_app/receivers', () => receivers.list()),
  one(
    'POST',
    '/_app/receivers',
    async ({ request }) =>
      receivers.create((await readOptionalJsonObject(request, LIMITS.bodyMaxBytes)) ?? {}),
    201,
  ),
  one('GET', RECEIVER, ({ params }) => receivers.get(pathId(params.id))),
  withBody('PUT', RECEIVER, ({ params }) => {
    const { id } = receivers.get(pathId(params.id))
    return (body) => receivers.update(id, body)
  }),
  withBody('PUT', `${RECEIVER}/script`, ({ params }) => {
    const { id } = receivers.get(pathId(params.id))
    return (body) => receivers.update(id, { script: readScript(body) })
  }),
  list(`${RECEIVER}/deliveries`, ({ params }) => receivers.deliveries(pathId(params.id))),
  one('DELETE', RECEIVER, async ({ params }) => {
    const id = pathId(params.id)
    await receivers.remove(id)
    return { id, deleted: true }
  }),
]
