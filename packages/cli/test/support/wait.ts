import { WAIT_MS } from '../../../../test/support/patience.ts'

/** Turns of the event loop between two looks at what is soon there; afterwards each look is 15 ms later. */
const QUICK_LOOKS = 50

/** Polls until the condition holds. @param pauseMs milliseconds between two looks that each start a program */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  pauseMs?: number,
): Promise<void> {
  const end = performance.now() + WAIT_MS
  for (let looks = 0; !(await holds()); looks += 1) {
    if (performance.now() > end) throw new Error(`timed out after ${WAIT_MS} ms waiting for ${what}`)
    const isSoon = pauseMs === undefined && looks < QUICK_LOOKS
    await new Promise((resolve) => (isSoon ? setImmediate(resolve) : setTimeout(resolve, pauseMs ?? 15)))
  }
}

/** Returns whether there is a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
