import { WAIT_MS } from '../../../../test/support/patience.ts'

/** Turns of the event loop between two looks at what is soon there; afterwards each look is 15 ms later. */
const QUICK_LOOKS = 50

/** Polls until the condition holds. Throws after `limitMs`. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limitMs = WAIT_MS,
): Promise<void> {
  const end = performance.now() + limitMs
  for (let looks = 0; !(await holds()); looks += 1) {
    if (performance.now() > end) throw new Error(`timed out after ${limitMs} ms waiting for ${what}`)
    await new Promise((resolve) => (looks < QUICK_LOOKS ? setImmediate(resolve) : setTimeout(resolve, 15)))
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
