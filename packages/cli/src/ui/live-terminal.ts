import { isCi } from '../output/output.ts'
import type { Runtime } from '../runtime.ts'

/** Whether to show a live view: stdin and stdout are terminals, not TERM=dumb, not in CI. */
export function liveTerminal(runtime: Runtime): boolean {
  const { stdin, stdout, env } = runtime
  return stdin.isTTY === true && stdout.isTTY === true && env.TERM !== 'dumb' && !isCi(env)
}
