import { WAIT_MS } from '../../../../test/support/patience.ts'

/** Polls until the condition holds. Throws after `limitMs`. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limitMs = WAIT_MS,
): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`timed out after ${limitMs} ms waiting for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 15))
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
