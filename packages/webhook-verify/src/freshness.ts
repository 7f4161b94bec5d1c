import { WebhookVerificationError } from './errors.ts'
import { shown } from './shown.ts'

/** The current instant: a `Date`, milliseconds since 1970, or a function that gives either. */
export type Now = Date | number | (() => Date | number)

/** Oldest and newest accepted timestamp, in seconds from now. @default 300 */
export const DEFAULT_TOLERANCE_SECONDS = 300

/**
 * Refuses a timestamp further from now than the tolerance, in either direction; exactly at the tolerance is accepted.
 * @throws WebhookVerificationError code "timestamp_too_old", "timestamp_in_future" or "invalid_option".
 */
export function checkFreshness(
  timestampSeconds: number,
  toleranceSeconds: number = DEFAULT_TOLERANCE_SECONDS,
  now: Now = Date.now,
): void {
  if (typeof toleranceSeconds !== 'number' || !(toleranceSeconds >= 0)) {
    throw new WebhookVerificationError(
      'invalid_option',
      `toleranceSeconds must be a number of seconds from 0 (Infinity accepts any age), got ${shown(toleranceSeconds)}.`,
    )
  }
  const nowMs = toMilliseconds(now)
  const ageMs = nowMs - timestampSeconds * 1000
  const toleranceMs = toleranceSeconds * 1000
  if (ageMs > toleranceMs) {
    throw new WebhookVerificationError(
      'timestamp_too_old',
      `The delivery was signed ${ageMs / 1000} s ago (timestamp ${timestampSeconds}); accepted are ${toleranceSeconds} s.`,
    )
  }
  if (-ageMs > toleranceMs) {
    throw new WebhookVerificationError(
      'timestamp_in_future',
      `The delivery was signed ${-ageMs / 1000} s in the future (timestamp ${timestampSeconds}); accepted are ${toleranceSeconds} s.`,
    )
  }
}

/** @throws WebhookVerificationError code "invalid_option" for what is no instant. */
function toMilliseconds(now: Now): number {
  const value: unknown = typeof now === 'function' ? now() : now
  const nowMs = value instanceof Date ? value.getTime() : value
  if (typeof nowMs === 'number' && Number.isFinite(nowMs)) return nowMs
  throw new WebhookVerificationError(
    'invalid_option',
    `now must be a valid Date, finite milliseconds, or a function that gives either, got ${shown(nowMs)}.`,
  )
}
