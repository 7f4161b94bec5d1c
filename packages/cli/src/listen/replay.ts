import { randomUUID } from 'node:crypto'
import { DELIVERY_HEADERS } from '@formwire/contract'
import { signatureHeader } from '@formwire/webhook-verify'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import type { Clock } from '../runtime.ts'
import { forward } from './forward.ts'
import type { Replayable } from './recording.ts'

/** The result of a replay. */
export interface ReplayResult {
  delivery_id: string
  status: number
  duration_ms: number
}

/** Sends the bytes with a new signature and the current timestamp. @throws Failure exit 6 without a response */
export async function sendReplay(
  { body, event }: Pick<Replayable, 'body' | 'event'>,
  target: string,
  secret: string,
  clock: Clock,
): Promise<ReplayResult> {
  const deliveryId = randomUUID()
  const timestamp = Math.floor(clock.now() / 1000)
  const rawHeaders = [
    'Content-Type',
    'application/json',
    ...(event === null ? [] : [DELIVERY_HEADERS.event, event]),
    DELIVERY_HEADERS.delivery,
    deliveryId,
    DELIVERY_HEADERS.timestamp,
    String(timestamp),
    DELIVERY_HEADERS.signature,
    signatureHeader(secret, timestamp, body),
  ]
  const response = await forward({ rawHeaders, body }, target, () => clock.now())
  if (!response.reached) {
    throw new Failure(`no response from ${new URL(target).origin}: ${response.reason}`, {
      exitCode: EXIT.unreachable,
      code: 'unreachable',
      hint: 'check that the handler is running, and check --forward-to',
    })
  }
  return { delivery_id: deliveryId, status: response.status, duration_ms: Math.round(response.durationMs) }
}
