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
}
