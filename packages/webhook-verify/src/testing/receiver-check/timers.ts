/** The time source of a run. */
export interface CheckClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or rejects when the signal aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The system clock. */
export const systemClock: CheckClock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', stop, { once: true })
    }),
}

/**
 * Resolves to the result of the work, or to `undefined` if that takes longer than `ms`, or until `giveUp` aborts. The signal of
 * the work then aborts.
 */
export async function within<Result>(
  clock: CheckClock,
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
  giveUp?: AbortSignal,
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
      new Promise<undefined>((resolve) =>
        giveUp?.addEventListener('abort', () => resolve(undefined), { once: true }),
      ),
    ])
  } finally {
    timer.abort(new Error('The work has ended.'))
    running.abort(new Error('The time is over.'))
  }
}
