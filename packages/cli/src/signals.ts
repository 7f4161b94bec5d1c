import { EXIT } from './exit.ts'
import { Stopped } from './failure.ts'

/**
 * Milliseconds in which a further signal belongs to the first one: npm and npx pass on the Ctrl-C that this process has already
 * received from the terminal.
 */
const SAME_PRESS_MS = 100

/** What {@link signalHandler} works with. */
export interface SignalTools {
  /** Milliseconds of a clock that only runs forward. */
  now(): number
  exit(code: number): void
}

/** Returns the handler of signals: the first one stops the command and lets it clean up, a later one ends the process at once. */
export function signalHandler(
  stop: AbortController,
  { now, exit }: SignalTools,
): (signal: NodeJS.Signals) => void {
  let stoppedAt: number | undefined
  return (signal) => {
    if (!stop.signal.aborted) {
      stoppedAt = now()
      stop.abort(new Stopped('interrupted', signal))
    } else if (stoppedAt === undefined || now() - stoppedAt >= SAME_PRESS_MS) exit(EXIT.interrupted)
  }
}
