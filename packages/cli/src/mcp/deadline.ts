import type { SleepClock } from '@formwire/internal/clock'
import { Failure } from '../failure.ts'
import { isUnreachable } from '../report.ts'
import { toolFailure } from './failures.ts'

/** Milliseconds after which a tool has responded, since clients give up after a minute. */
const TOOL_MAX_MS = 25_000
/** Milliseconds after which it is told to end, and responds with what it knows. */
const TOOL_ENDS_MS = 23_000

/** Limits of one request to the service: its error is more exact than that of the tool. */
export const REQUEST_LIMITS = { timeoutMs: 21_000, totalTimeoutMs: 22_000 }

/** Seconds after which to try again, unless the service says. */
export const RETRY_AFTER_S = 60

/**
 * Runs a tool with a signal that aborts with `signal`, and shortly before the time of the tool is over.
 * @throws Failure `timeout` once it is over; what the tool throws
 */
export async function withinDeadline<Value>(
  clock: SleepClock,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const over = new AbortController()
  const ended = new AbortController()
  const deadline = async (): Promise<never> => {
    await clock.sleep(TOOL_ENDS_MS, ended.signal)
    over.abort(timedOut())
    await clock.sleep(TOOL_MAX_MS - TOOL_ENDS_MS, ended.signal)
    throw over.signal.reason
  }
  try {
    return await Promise.race([run(AbortSignal.any([signal, over.signal])), deadline()])
  } catch (error) {
    throw over.signal.aborted && !(error instanceof Failure) ? over.signal.reason : error
  } finally {
    ended.abort(new Error('the tool has ended'))
  }
}

const timedOut = (): Failure => {
  const message = `the tool did not end within ${TOOL_MAX_MS / 1000} s`
  const hint = 'what it changed may have taken effect: look before you try again, and ask for less'
  return Object.assign(toolFailure('timeout', message, hint), { timeoutMs: TOOL_MAX_MS })
}

/**
 * Returns why a tool ends with what it has read so far: its time is over, or the service is limited, down or out of reach.
 * @throws any other error
 */
export function endOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  const { status = 0 } = Object(error) as { status?: number }
  if (status === 429 || status >= 500 || isUnreachable(error)) return error
  throw error
}
