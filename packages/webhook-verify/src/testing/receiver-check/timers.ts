import type { SleepClock } from '@formwire/internal/clock'

/** Resolves to the result of the work, or to `undefined` if that takes longer than `ms`. The signal of the work then aborts. */
export async function within<Result>(
  clock: SleepClock,
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const timer = new AbortController()
  const running = new AbortController()
  try {
    return await Promise.race([
      work(running.signal),
      clock.sleep(ms, timer.signal).then(
        () => undefined,
        // Cancelled: the work has ended.
        () => new Promise<never>(() => undefined),
      ),
    ])
  } finally {
    timer.abort(new Error('The work has ended.'))
    running.abort(new Error('The time is over.'))
  }
}
