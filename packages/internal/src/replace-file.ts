import { renameSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** What {@link replaceFile} works with, for tests. */
export interface ReplaceTools {
  platform: NodeJS.Platform
  rename(from: string, to: string): Promise<void>
  sleep(ms: number): Promise<unknown>
}

/** What {@link replaceFileSync} works with, for tests. */
export interface ReplaceSyncTools {
  platform: NodeJS.Platform
  rename(from: string, to: string): void
  sleep(ms: number): unknown
}

/** Milliseconds between the attempts: two seconds in all. */
const WAITS_MS = [10, 20, 40, 80, 150, 300, 600, 800]
const PASSING = new Set(['EPERM', 'EACCES', 'EBUSY'])

const realTools: ReplaceTools = { platform: process.platform, rename, sleep }

const realSyncTools: ReplaceSyncTools = {
  platform: process.platform,
  rename: renameSync,
  sleep: (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
}

/**
 * Renames a file over another one. Windows refuses this while another program, such as a virus scanner, has one of them open, so
 * that it is tried again there for two seconds. Elsewhere the same codes are lasting.
 *
 * @throws the error of the last attempt
 */
export async function replaceFile(from: string, to: string, tools: ReplaceTools = realTools): Promise<void> {
  for (const waitMs of waitsOn(tools.platform)) {
    try {
      return await tools.rename(from, to)
    } catch (error) {
      if (!mayPass(error)) throw error
    }
    await tools.sleep(waitMs)
  }
  await tools.rename(from, to)
}

/** Like {@link replaceFile}, blocking the process: for what happens at its end. @throws the error of the last attempt */
export function replaceFileSync(from: string, to: string, tools: ReplaceSyncTools = realSyncTools): void {
  for (const waitMs of waitsOn(tools.platform)) {
    try {
      tools.rename(from, to)
      return
    } catch (error) {
      if (!mayPass(error)) throw error
    }
    tools.sleep(waitMs)
  }
  tools.rename(from, to)
}

const waitsOn = (platform: NodeJS.Platform): readonly number[] => (platform === 'win32' ? WAITS_MS : [])

const mayPass = (error: unknown): boolean => PASSING.has((error as NodeJS.ErrnoException).code ?? '')
