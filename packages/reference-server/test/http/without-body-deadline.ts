type Timers = typeof import('../../src/real-timers.ts')

/** Returns timers that never end the time for a body: on a busy machine it would end before the limit in bytes is reached. */
export function withoutBodyDeadline(timers: Timers): Timers {
  const setTimeout = (wake: () => void, milliseconds: number) =>
    timers.setTimeout(wake, milliseconds === 10_000 ? 2 ** 31 - 1 : milliseconds)
  return { ...timers, setTimeout: setTimeout as Timers['setTimeout'] }
}
