import type { TimeSource } from '../real-timers.ts'
import type { Span } from './span.ts'

/**
 * The time source of a server, for timestamps, rate windows, retries, log age and signatures. Instants are milliseconds
 * since the epoch.
 */
export interface Clock {
  readonly mode: 'real' | 'manual'
  /** Times the deadlines of delivery attempts. @default real time, whatever the mode: a receiver takes real time to respond */
  readonly deadlines?: TimeSource | undefined
  now(): number
  /**
   * Calls `wake` once, at the first moment at which `now() >= at`, never in the caller's own turn. Returns a function
   * that cancels it. A real clock's timer does not keep the process alive.
   */
  wakeAt(at: number, wake: () => void): () => void
  /** Tracks work in flight. A manual clock does not advance before it has ended. */
  track<Result>(work: Promise<Result>): Promise<Result>
  /** Resolves when no tracked work is in flight. */
  idle(): Promise<void>
  /**
   * Waits for work in flight, then advances by a span (`'12h'`, `'1h30m'`, or milliseconds). Stops at each instant at
   * which something is due, including work that becomes due during the advance, and waits until it has ended. `0` only
   * waits. Concurrent calls run one after the other.
   *
   * @example await server.clock.advance('12h')
   * @throws InvalidSpanError when the span is negative or unreadable, or, on a real clock, anything but 0.
   */
  advance(by: Span): Promise<void>
}
