import { checkOption, invalidOption } from './check-options.ts'
import { WebhookVerificationError } from './errors.ts'

/** The current time: a `Date`, milliseconds since 1970, or a function that returns either. */
export type Now = Date | number | (() => Date | number)

/** Default of `toleranceSeconds`: accepted seconds between the timestamp and now, in either direction. */
export const DEFAULT_TOLERANCE_SECONDS = 300

/**
 * Refuses a timestamp that differs from now by more than the tolerance, in either direction.
 * @throws WebhookVerificationError code "timestamp_too_old", "timestamp_in_future" or "invalid_option".
 */
export function checkFreshness(
  timestampSeconds: number,
  toleranceSeconds: number = DEFAULT_TOLERANCE_SECONDS,
  now: Now = Date.now,
): void {
  checkTolerance(toleranceSeconds)
  const nowMs = toMilliseconds(now)
  const ageMs = nowMs - timestampSeconds * 1000
  const toleranceMs = toleranceSeconds * 1000
  if (ageMs > toleranceMs) {
    throw new WebhookVerificationError(
      'timestamp_too_old',
      `The delivery was signed ${ageMs / 1000} s ago (timestamp ${timestampSeconds}); the tolerance is ${toleranceSeconds} s.`,
    )
  }
  if (-ageMs > toleranceMs) {
    const message = `The delivery was signed ${-ageMs / 1000} s in the future (timestamp ${timestampSeconds}); the tolerance is ${toleranceSeconds} s.`
    if (!looksLikeSeconds(nowMs)) throw new WebhookVerificationError('timestamp_in_future', message)
    throw new WebhookVerificationError(
      'timestamp_in_future',
      `${message} now is ${nowMs}, which looks like seconds; it must be milliseconds.`,
      { hint: 'Pass now in milliseconds, as Date.now() returns them, or as a Date.' },
    )
  }
}

/** @throws WebhookVerificationError code "invalid_option". */
export function checkTolerance(toleranceSeconds: number): void {
  const holds = typeof toleranceSeconds === 'number' && toleranceSeconds >= 0
  const wanted = 'a number of seconds, 0 or more (Infinity accepts any age)'
  checkOption(holds, 'toleranceSeconds', wanted, toleranceSeconds)
}

/**
 * Refuses to forget a delivery while its signature is still valid: it could be sent again and would be handled twice. Accepts any time
 * for an infinite tolerance, which no time reaches.
 * @throws WebhookVerificationError code "invalid_option".
 */
export function checkKeepMs(keepMs: number, toleranceSeconds: number): void {
  const toleranceMs = toleranceSeconds * 1000
  if (keepMs >= toleranceMs || !Number.isFinite(toleranceMs)) return
  throw invalidOption(
    `keepMs must be at least the tolerance of signatures, ${toleranceMs} ms, got ${keepMs}: a delivery could be handled again.`,
  )
}

/** Whether the value, a date before 1974 in milliseconds, is a date after September 2001 in seconds. */
function looksLikeSeconds(nowMs: number): boolean {
  return nowMs >= 1e9 && nowMs < 1e11
}

/** @throws WebhookVerificationError code "invalid_option" when the value is not an instant. */
function toMilliseconds(now: Now): number {
  const value: unknown = typeof now === 'function' ? now() : now
  const nowMs = value instanceof Date ? value.getTime() : value
  const wanted = 'a valid Date, finite milliseconds, or a function that returns either'
  checkOption(typeof nowMs === 'number' && Number.isFinite(nowMs), 'now', wanted, nowMs)
  return nowMs
}
