import { backoffMs } from '@formwire/internal/backoff'
import type { SleepClock } from '@formwire/internal/clock'
import { EXIT } from '../exit.ts'
import { Failure, notFound } from '../failure.ts'
import { reasonOf } from '../service-message.ts'
import type { ControlClient, Delivery } from './client.ts'
import { isOf } from './endpoints.ts'

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
  const { formId, webhookId } = options
  if (formId !== undefined) await control.form(formId)
  if (webhookId !== undefined && !(await control.endpoints()).some(isOf(formId, webhookId)))
    throw notFound(
      `webhook endpoint ${webhookId}${formId === undefined ? '' : ` of form ${formId}`} not found`,
      `see formwire webhooks list ${formId ?? 'FORM'}`,
    )
  return tail(control, options)
}

async function* tail(control: ControlClient, options: FollowOptions): AsyncGenerator<FollowEvent> {
  const { formId, webhookId } = options
  const seen = new Map<string, string>()
  let since = options.since ?? Number.POSITIVE_INFINITY
  for await (const event of followDeliveries(control, options)) {
    const repeated = event.type === 'delivery' && seen.get(event.delivery.id) === stateOf(event.delivery)
    if (!repeated) yield event
    if (event.type !== 'connected' || since === Number.POSITIVE_INFINITY) continue
    // Read once the stream is open, so that no change is missed in between.
    const logs: Delivery[] = []
    for (const { id, form_id } of (await control.endpoints()).filter(isOf(formId, webhookId)))
      logs.push(...(await control.deliveries(form_id, id)).toReversed())
    const backlog = logs.filter(({ created_at }) => Date.parse(created_at) >= since)
    for (const delivery of backlog.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))) {
      seen.set(delivery.id, stateOf(delivery))
      yield { type: 'delivery', delivery }
    }
    since = Number.POSITIVE_INFINITY
  }
}

const stateOf = (delivery: Delivery): string => `${delivery.status} ${delivery.attempts}`

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
