import { backoffMs } from '@formwire/internal/backoff'
import type { SleepClock } from '@formwire/internal/clock'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import { reasonOf } from '../service-message.ts'
import type { ControlClient } from './client.ts'
import type { Delivery } from './delivery.ts'

/** A change of a delivery, or of the connection. */
export type FollowEvent =
  | { type: 'delivery'; delivery: Delivery }
  | { type: 'connected'; again: boolean }
  | { type: 'lost'; reason: string; waitMs: number }
  | { type: 'gap' }
  | { type: 'reset' }

/** Reconnect attempts before the command fails. */
const MAX_RECONNECTS = 6
/** Milliseconds before the first reconnect; doubles with each one. */
const FIRST_WAIT_MS = 500
/** A connection that lasts longer than this, in milliseconds, resets the count of reconnects. */
const STEADY_MS = 10_000

/** What to follow. */
export interface FollowOptions {
  formId?: string | undefined
  webhookId?: number | undefined
  clock: SleepClock
  stop: AbortSignal
}

/**
 * Yields every change of the delivery log from now on. After a lost connection it reconnects and resumes after the last
 * event seen; after too many failures it throws the last error.
 */
export async function* followDeliveries(
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
