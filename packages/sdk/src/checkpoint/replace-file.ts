import { rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** What {@link replaceFile} works with, for tests. */
export interface ReplaceTools {
  platform: NodeJS.Platform
  rename(from: string, to: string): Promise<void>
  sleep(ms: number): Promise<unknown>
}

/** Milliseconds between the attempts: two seconds in all. */
const WAITS_MS = [10, 20, 40, 80, 150, 300, 600, 800]
const PASSING = new Set(['EPERM', 'EACCES', 'EBUSY'])

/**
 * Renames a file over another one. Windows refuses this while another program, such as a virus scanner, has one of them open, so
 * that it is tried again there. Elsewhere the same codes are lasting. @throws the error of the last attempt
 */
export async function replaceFile(
  from: string,
  to: string,
  tools: ReplaceTools = { platform: process.platform, rename, sleep },
): Promise<void> {
  for (const waitMs of tools.platform === 'win32' ? WAITS_MS : []) {
    try {
      return await tools.rename(from, to)
    } catch (error) {
      if (!PASSING.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
    await tools.sleep(waitMs)
  }
  await tools.rename(from, to)
}
