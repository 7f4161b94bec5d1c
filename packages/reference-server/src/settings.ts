import { LIMITS } from '@formwire/contract'
import type { Unspecified } from './unspecified.ts'

/** Limits that a test may move. `Infinity` switches one off. */
export interface Limits {
  /** Requests a minute a key, RATE-01. @default 120 */
  requestsPerMinute: number
  /** Failed authentications a minute an address, RATE-02. @default 30 */
  failedAuthPerMinute: number
  /** Active keys a user, AUTH-08. @default 10 */
  activeKeys: number
  /** Endpoints a form, HOOK-06. @default 10 */
  webhooksPerForm: number
  /** Largest upload through a public form, in bytes. @default 10 MiB */
  fileMaxBytes: number
  /** All uploads together, in bytes. @default 256 MiB */
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

/** The settled options of a server. */
export interface Settings {
  readonly limits: Limits
  readonly unspecified: Unspecified
  /** `development` also allows http, and loopback on any port (HOOK-04). Known once it listens: off loopback it may change. */
  addressRules: 'development' | 'production'
  /** Deadline of one delivery attempt in real milliseconds, DLV-05. */
  readonly deliveryTimeoutMs: number
  /** Public origin (`https://hooks.example.com`) to local target (`http://127.0.0.1:4000`). */
  readonly routes: ReadonlyMap<string, string>
  /** Root of the server's own public links, without a slash at its end. Known once it listens. */
  publicUrl: string
}
