import { createRequire, syncBuiltinESMExports } from 'node:module'

/**
 * Records the test files that started a timer that waits. Those of the product may wait: a test lets their time pass with a clock. A module
 * of its own, since test files that share modules load it once.
 */
export const ownTimers: string[] = []

type Start = (...args: unknown[]) => unknown

/** @param timeAt Which argument has the milliseconds. */
function recorded(start: Start, timeAt: number): Start {
  const recording: Start = (...args) => {
    const caller = Number(args[timeAt] ?? 0) > 0 ? callerOf(recording) : undefined
    if (caller && /\.test\.tsx?(?:\?|$)/.test(caller)) ownTimers.push(caller)
    return start(...args)
  }
  return Object.assign(recording, start)
}

/** Returns the file that called a function: without a whole stack and its source maps, which cost more than what the timer is for. */
function callerOf(called: Start): string | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error
  const trace: { stack?: unknown } = {}
  try {
    Error.stackTraceLimit = 1
    Error.prepareStackTrace = (_error, [site]) => site?.getFileName()
    Error.captureStackTrace(trace, called)
    return trace.stack as string | undefined
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  }
}

const require = createRequire(import.meta.url)

for (const [functions, timeAt] of [
  [globalThis, 1],
  [require('node:timers'), 1],
  [require('node:timers/promises'), 0],
] as [Record<'setTimeout', Start>, number][])
  functions.setTimeout = recorded(functions.setTimeout, timeAt)
syncBuiltinESMExports()
