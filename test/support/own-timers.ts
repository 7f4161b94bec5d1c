import { createRequire, syncBuiltinESMExports } from 'node:module'

/**
 * Records where a test file started a timer that waits. Those of the product may wait: a test lets their time pass with a clock. A module
 * of its own, since test files that share modules load it once.
 */
export const ownTimers: string[] = []

type Start = (...args: unknown[]) => unknown

/** @param timeAt Which argument has the milliseconds. */
const recorded = (start: Start, timeAt: number): Start =>
  Object.assign((...args: unknown[]) => {
    const caller = Number(args[timeAt] ?? 0) > 0 ? new Error().stack?.split('\n')[2] : undefined
    if (caller && /\.test\.tsx?:/.test(caller)) ownTimers.push(caller.trim())
    return start(...args)
  }, start)

const require = createRequire(import.meta.url)

for (const [functions, timeAt] of [
  [globalThis, 1],
  [require('node:timers'), 1],
  [require('node:timers/promises'), 0],
] as [Record<'setTimeout', Start>, number][])
  functions.setTimeout = recorded(functions.setTimeout, timeAt)
syncBuiltinESMExports()
