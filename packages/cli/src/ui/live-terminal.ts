import { isCi } from '../output/output.ts'
import type { Runtime } from '../runtime.ts'

/** Whether a live view may take over: a real terminal on both ends, able to move its cursor, and a person before it. */
export function liveTerminal(runtime: Runtime): boolean {
  const { stdin, stdout, env } = runtime
  return stdin.isTTY === true && stdout.isTTY === true && env.TERM !== 'dumb' && !isCi(env)
}
