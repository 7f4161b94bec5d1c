import { SECRET_PREFIX } from '@formwire/contract'
import { type RandomSource, randomText } from '../random.ts'
import type { AttemptOutcome, DeliveryRecord } from './delivery.ts'

/** A webhook endpoint as it is stored. Records are immutable. */
export interface EndpointRecord {
  /** From 1, never reused. */
  readonly id: number
  readonly formId: string
  readonly workspaceId: number
  /** As it was registered (HOOK-04). */
  readonly url: string
  /** `false` while paused (HOOK-07). */
  readonly active: boolean
  /** Key of the signatures, `whsec_` included. Read at signing time (HOOK-08). */
  readonly secret: string
  /** Milliseconds since the epoch. Only responses submitted at or after it are sent (DLV-01). */
  readonly createdAt: number
  /** Points to the built-in receiver of the server: the port of `url` is that of its current start. @default false */
  readonly builtIn?: true
  /** When it was paused last. Absent if that is not known. */
  readonly pausedAt?: number
  /** Number of responses submitted while it was paused last. @default 0 */
  readonly notSent?: number
  /**
   * Start of the first attempt that has failed since the last success, `null` if the latest attempt succeeded. Absent before the
   * first attempt has ended.
   */
  readonly failingSince?: number | null
}

const SECRET_LENGTH = 40

/** Returns a new secret: `whsec_` and 40 letters and digits, 238 bits (HOOK-02). */
export function generateSecret(random: RandomSource): string {
  return SECRET_PREFIX + randomText(random, SECRET_LENGTH)
}

/** Returns the endpoint after an attempt: the same object if that changes nothing, as a second success. */
export function afterAttempt(
  endpoint: EndpointRecord,
  { startedAt, error }: Pick<AttemptOutcome, 'startedAt' | 'error'>,
): EndpointRecord {
  const failingSince = error === null ? null : (endpoint.failingSince ?? startedAt)
  return failingSince === endpoint.failingSince ? endpoint : { ...endpoint, failingSince }
}

/** Returns the endpoint after all attempts of its log: for a log that was not written by the engine. */
export const afterLog = (endpoint: EndpointRecord, log: readonly DeliveryRecord[]): EndpointRecord =>
  log
    .flatMap(({ attempts }) => attempts)
    .sort((a, b) => a.startedAt - b.startedAt)
    .reduce(afterAttempt, endpoint)
