import { backoffMs } from '@formwire/internal/backoff'
import type { SleepClock } from '@formwire/internal/clock'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import { reasonOf } from '../service-message.ts'
import type { ControlClient, Delivery } from './client.ts'

/** A change of a delivery, or of the connection. */
export type FollowEvent =
  | { type: 'delivery'; delivery: Delivery }
  | { type: 'connected'; again: boolean }
  | { type: 'lost'; reason: string; waitMs: number }
  | { type: 'gap' }
  | { type: 'reset' }

const MAX_RECONNECTS = 6
/** Milliseconds before the first reconnect; doubles with each one. */
const FIRST_WAIT_MS = 500
/** A connection that lasts longer than this, in milliseconds, resets the count of reconnects. */
const STEADY_MS = 10_000

export interface FollowOptions {
  formId?: string | undefined
  webhookId?: number | undefined
  /** Milliseconds since the epoch, for the deliveries logged from then on. @default the tail starts now */
  since?: number | undefined
  clock: SleepClock
  stop: AbortSignal
}

/**
 * Returns the backlog, oldest first, then every change. Skips a delivery that the stream repeats unchanged.
 * @throws Failure exit 3 for an unknown form or endpoint, whose stream would be silent
 */
export async function openTail(
  control: ControlClient,
  options: FollowOptions,
): Promise<AsyncGenerator<FollowEvent>> {
  if (options.formId !== undefined || options.webhookId !== undefined) await endpointsOf(control, options)
  return tail(control, options)
}

async function* tail(control: ControlClient, options: FollowOptions): AsyncGenerator<FollowEvent> {
  const seen = new Map<string, string>()
  let since = options.since
  for await (const event of followDeliveries(control, options)) {
    const repeated = event.type === 'delivery' && seen.get(event.delivery.id) === stateOf(event.delivery)
    if (!repeated) yield event
    if (event.type !== 'connected' || since === undefined) continue
    // Read once the stream is open, so that no change is missed in between.
    for (const delivery of await backlog(control, options, since)) {
      seen.set(delivery.id, stateOf(delivery))
      yield { type: 'delivery', delivery }
    }
    since = undefined
  }
}

const stateOf = (delivery: Delivery): string => `${delivery.status} ${delivery.attempts}`

async function backlog(control: ControlClient, options: FollowOptions, since: number): Promise<Delivery[]> {
  const deliveries: Delivery[] = []
  for (const { formId, webhookId } of await endpointsOf(control, options))
    deliveries.push(...(await control.deliveries(formId, webhookId)).toReversed())
  return deliveries
    .filter((delivery) => Date.parse(delivery.created_at) >= since)
    .sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
}

/** Returns the endpoints that are followed. @throws Failure exit 3 if a form or endpoint is given that does not exist */
async function endpointsOf(
  control: ControlClient,
  { formId: onlyForm, webhookId: onlyWebhook }: Pick<FollowOptions, 'formId' | 'webhookId'>,
): Promise<{ formId: string; webhookId: number }[]> {
  const formIds = onlyForm === undefined ? (await control.forms()).map(({ id }) => id) : [onlyForm]
  const endpoints = []
  for (const formId of formIds) {
    for (const webhookId of await control.webhookIds(formId))
      if (onlyWebhook === undefined || webhookId === onlyWebhook) endpoints.push({ formId, webhookId })
  }
  if (onlyWebhook === undefined || endpoints.length > 0) return endpoints
  throw new Failure(
    `webhook endpoint ${onlyWebhook}${onlyForm === undefined ? '' : ` of form ${onlyForm}`} not found`,
    {
      exitCode: EXIT.notFound,
      code: 'not_found',
      hint: `see formwire webhooks list ${onlyForm ?? 'FORM'}`,
    },
  )
}

/**
 * Yields every change of the delivery log from now on. After a lost connection it reconnects and resumes after the last
 * event seen; after too many failures it throws the last error.
 */
async function* followDeliveries(
  control: ControlClient,
  options: FollowOptions,
): AsyncGenerator<FollowEvent> {
  const query = {
    ...(options.formId === undefined ? {} : { form_id: options.formId }),
    ...(options.webhookId === undefined ? {} : { webhook_id: String(options.webhookId) }),
  }
  let lastEventId: string | undefined
  let connectedOnce = false
  let failures = 0
  for (;;) {
    let reason = 'the server closed the stream'
    let connectedAt: number | undefined
    try {
      const events = await control.openStream(query, lastEventId)
      connectedAt = options.clock.now()
      yield { type: 'connected', again: connectedOnce }
      connectedOnce = true
      for await (const { type, data, id } of events) {
        if (id !== '') lastEventId = id
        if (type === 'delivery') yield { type, delivery: JSON.parse(data) as Delivery }
        else if (type === 'gap' || type === 'reset') yield { type }
      }
    } catch (error) {
      // Only a lost connection is retried: neither an error response nor a failing first connection is.
      if (options.stop.aborted || !connectedOnce || error instanceof Failure) throw error
      if (failures >= MAX_RECONNECTS) throw error
      reason = reasonOf(error)
    }
    if (connectedAt !== undefined && options.clock.now() - connectedAt > STEADY_MS) failures = 0
    if (failures >= MAX_RECONNECTS) {
      throw new Failure(`could not reconnect after ${MAX_RECONNECTS} attempts: ${reason}`, {
        exitCode: EXIT.unreachable,
        code: 'unreachable',
      })
    }
    failures += 1
    const waitMs = backoffMs(failures, FIRST_WAIT_MS)
    yield { type: 'lost', reason, waitMs }
    await options.clock.sleep(waitMs, options.stop)
  }
}
