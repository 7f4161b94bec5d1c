import { execFileSync } from 'node:child_process'

/**
 * Pins this process and its future children to one core. Returns `undefined` without `taskset` or access to the core; the
 * figures are then less reliable.
 */
export function pinTo(core: number): number | undefined {
  try {
    execFileSync('taskset', ['-acp', String(core), String(process.pid)], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    return core
  } catch {
    return undefined
  }
}
