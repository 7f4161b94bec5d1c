import type { Span } from './clock/span.ts'

/**
 * The clock of the server: it drives everything that the service dates (timestamps, rate windows, retries, log age,
 * signatures). Instants are milliseconds since the epoch.
 */
export interface Clock {
  readonly mode: 'real' | 'manual'
  now(): number
  /**
   * Calls `wake` once, at the first moment at which `now() >= at`, never in the caller's own turn. Returns a function
   * that takes it back. A real clock's timer does not keep the process alive.
   */
  wakeAt(at: number, wake: () => void): () => void
  /** Tells the clock of work in flight: a manual clock does not move on before it has ended. */
  track<Result>(work: Promise<Result>): Promise<Result>
  /** Resolves when no tracked work is in flight. */
  idle(): Promise<void>
  /**
   * Waits for what is in flight, then moves on by a span (`'12h'`, `'1h30m'`, or milliseconds), stopping at every
   * instant at which something falls due, what becomes due on the way included, until all of it has ended. `0` only
   * waits. Calls made while another one runs follow it, one after the other.
   *
   * @throws InvalidSpanError when the span is negative or unreadable, or, on a real clock, anything but 0.
   */
  advance(by: Span): Promise<void>
}

export { ManualClock } from './clock/manual.ts'
export { RealClock } from './clock/real.ts'
export { InvalidSpanError, type Span } from './clock/span.ts'
