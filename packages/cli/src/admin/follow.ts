import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import type { Clock } from '../runtime.ts'
import type { AdminClient } from './client.ts'
import type { DeliveryEntry } from './delivery.ts'

/** What the log stream tells besides entries. */
export type FollowEvent =
  | { type: 'entry'; entry: DeliveryEntry }
  | { type: 'connected'; again: boolean }
  | { type: 'lost'; reason: string; waitMs: number }
  | { type: 'gap' }
  | { type: 'reset' }

/** Tries to reconnect this often before giving up. */
const MAX_RECONNECTS = 6
/** Wait before the first try; it doubles with each, in milliseconds. */
const FIRST_WAIT_MS = 500
/** A connection that lasted longer than this was a good one: tries count from the start again. */
const STEADY_MS = 10_000

/** What to follow. */
export interface FollowOptions {
  formId?: string | undefined
  webhookId?: number | undefined
  clock: Clock
  stop: AbortSignal
}

/**
 * Every change of the delivery log from now on. A lost connection is taken up again after the last event seen; when that
 * fails too often, the last error is thrown.
 */
export async function* followDeliveries(
  admin: AdminClient,
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
    let reason = 'the server ended the stream'
    let connectedAt: number | undefined
    try {
      const events = await admin.openStream(query, lastEventId)
      connectedAt = options.clock.now()
      yield { type: 'connected', again: connectedOnce }
      connectedOnce = true
      for await (const { event, data, id } of events) {
        if (id !== undefined) lastEventId = id
        if (event === 'delivery') yield { type: 'entry', entry: JSON.parse(data) as DeliveryEntry }
        else if (event === 'gap' || event === 'reset') yield { type: event }
      }
    } catch (error) {
      // An answer that says no, or a first connection that fails, is an answer; only a lost connection is worth a wait.
      if (options.stop.aborted || !connectedOnce || error instanceof Failure) throw error
      if (failures >= MAX_RECONNECTS) throw error
      reason = (error as Error).message
    }
    if (connectedAt !== undefined && options.clock.now() - connectedAt > STEADY_MS) failures = 0
    if (failures >= MAX_RECONNECTS) {
      throw new Failure(`gave up after ${MAX_RECONNECTS} tries to reconnect: ${reason}`, {
        exitCode: EXIT.unreachable,
        code: 'unreachable',
      })
    }
    const waitMs = FIRST_WAIT_MS * 2 ** failures
    failures += 1
    yield { type: 'lost', reason, waitMs }
    await options.clock.sleep(waitMs, options.stop)
  }
}
