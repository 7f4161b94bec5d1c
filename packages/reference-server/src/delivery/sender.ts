import type { AttemptOutcome } from '../domain/delivery.ts'
import type { TimeSource } from '../real-timers.ts'
import type { AddressSettings } from './webhook-target.ts'

export interface AttemptResult extends Pick<AttemptOutcome, 'httpStatus' | 'error' | 'receiverAnswer'> {
  /** Real milliseconds spent loading the sender before the attempt started. @default 0 */
  readonly waitedMs?: number
}

/** A signed request. */
export interface AttemptRequest {
  readonly url: string
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

export interface SenderSettings extends AddressSettings {
  /** Deadline of a whole attempt (DNS, connection, headers, body) in milliseconds (DLV-05). */
  readonly timeoutMs: number
  /** Times the deadlines. @default real time */
  readonly deadlines?: TimeSource | undefined
  /** Times those of connections. @default real time */
  readonly connectDeadlines?: TimeSource | undefined
}

export interface Sender {
  /**
   * @param done Called once when the attempt has ended, never synchronously. A callback is cheaper than a promise here.
   */
  send(request: AttemptRequest, done: (result: AttemptResult) => void): void
  /** Ends every attempt in flight as a reset. */
  abandonAll(): void
  /** Ends every attempt in flight and closes all connections. */
  close(): Promise<void>
}
