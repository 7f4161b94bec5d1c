import { randomUUID } from 'node:crypto'
import { DELIVERY_HEADERS } from '@formwire/contract'
import { signatureHeader } from '@formwire/webhook-verify'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import type { Clock } from '../runtime.ts'
import { forward } from './forward.ts'
import type { Replayable } from './recording.ts'

/** How a replay went. */
export interface ReplayResult {
  delivery_id: string
  status: number
  duration_ms: number
}

/** Signs the bytes anew, with the time of now, and sends them. @throws Failure exit 6 when nothing answers */
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
  const answer = await forward({ rawHeaders, body }, target, () => clock.now())
  if (!answer.reached) {
    throw new Failure(`no answer from ${new URL(target).origin}: ${answer.reason}`, {
      exitCode: EXIT.unreachable,
      code: 'unreachable',
      hint: 'is the handler running, and is --forward-to right?',
    })
  }
  return { delivery_id: deliveryId, status: answer.status, duration_ms: Math.round(answer.durationMs) }
}
