import { LIMITS } from '@formwire/contract'
import type { AddressRules } from './policy/address-rules.ts'
import type { Unspecified } from './unspecified.ts'

/** Limits that a test may change. `Infinity` disables one. */
export interface Limits {
  /** Requests per minute per key (RATE-01). @default 120 */
  requestsPerMinute: number
  /** Failed authentications per minute per IP address (RATE-02). @default 30 */
  failedAuthPerMinute: number
  /** Active keys per user, or per workspace with `keyLimitPer` (AUTH-08). @default 10 */
  activeKeys: number
  /** Webhook endpoints per form (HOOK-06). @default 10 */
  webhooksPerForm: number
  /** Largest file upload of a public form, in bytes. @default 10 MiB */
  fileMaxBytes: number
  /** Size of all uploads together, in bytes. @default 256 MiB */
  filesTotalMaxBytes: number
}

const MIB = 1_048_576

export const DEFAULT_LIMITS: Limits = {
  requestsPerMinute: LIMITS.requestsPerMinute,
  failedAuthPerMinute: LIMITS.failedAuthPerMinute,
  activeKeys: LIMITS.activeKeys,
  webhooksPerForm: LIMITS.webhooksPerForm,
  fileMaxBytes: 10 * MIB,
  filesTotalMaxBytes: 256 * MIB,
}

export const NO_LIMITS_PER_MINUTE = {
  requestsPerMinute: Number.POSITIVE_INFINITY,
  failedAuthPerMinute: Number.POSITIVE_INFINITY,
}

/** The options of a server, validated and with defaults. */
export interface Settings {
  readonly limits: Limits
  readonly unspecified: Unspecified
  /** `development` also allows http, and loopback on any port (HOOK-04). May change when the server starts to listen on other than loopback. */
  addressRules: AddressRules
  /** Deadline of a delivery attempt, in real milliseconds (DLV-05). */
  readonly deliveryTimeoutMs: number
  /** Local targets (`http://127.0.0.1:4000`) by public origin (`https://hooks.example.com`). */
  readonly hostOverrides: ReadonlyMap<string, string>
  /** Base URL of the public links, without a trailing slash. Set when the server starts to listen. */
  publicUrl: string
}
