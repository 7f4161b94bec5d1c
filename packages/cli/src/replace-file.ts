import { renameSync } from 'node:fs'

/** What {@link replaceFile} works with, for tests. */
export interface ReplaceTools {
  platform: NodeJS.Platform
  rename(from: string, to: string): void
  sleep(ms: number): unknown
}

/** Milliseconds between the attempts: two seconds in all. */
const WAITS_MS = [10, 20, 40, 80, 150, 300, 600, 800]
const PASSING = new Set(['EPERM', 'EACCES', 'EBUSY'])

const realTools: ReplaceTools = {
  platform: process.platform,
  rename: renameSync,
  sleep: (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
}

/**
 * Renames a file over another one. Windows refuses this while another program, such as a virus scanner, has one of them open, so
 * that it is tried again there. Elsewhere the same codes are lasting. @throws the error of the last attempt
 */
export function replaceFile(from: string, to: string, tools: ReplaceTools = realTools): void {
  for (const waitMs of tools.platform === 'win32' ? WAITS_MS : []) {
    try {
      tools.rename(from, to)
      return
    } catch (error) {
      if (!PASSING.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
    tools.sleep(waitMs)
  }
  tools.rename(from, to)
}
