import { execFileSync } from 'node:child_process'

/**
 * Moves this process to one core; children started afterwards stay there. `undefined` where there is no `taskset`, or
 * where the core is not ours to take: the figures then hold less.
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
