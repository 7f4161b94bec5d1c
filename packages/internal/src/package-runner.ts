import { readFileSync } from 'node:fs'
import { clearInterval, setInterval } from 'node:timers'

const CHECK_EVERY_MS = 500

const RUNNER = /^(?:\S*\bnode )?(?:\S*\/)?(?:npm|npx|pnpm|yarn)(?:-cli)?(?:\.c?js)?(?: |$)/
const SHELL = /^(?:\S*\/)?(?:ba|da|z|a)?sh (?:-\S+ )*-\w*c /
/** Neither `&&`, part of a redirection, nor within a word such as a quoted URL. */
const BACKGROUND = /(?<![&<>])&(?=[\s)]|$)/

/**
 * Returns whether a process waits for the programs that it starts: npm, pnpm, yarn, or a shell for one command that starts nothing
 * in the background. It can end before them only if it is ended.
 */
export const waits = (command: string): boolean =>
  RUNNER.test(command) || (SHELL.test(command) && !BACKGROUND.test(command))

/**
 * Notes the package runner that started this process. `npx` passes a signal on to the shell between them only, which ends without
 * this process: SIGTERM to `npx formwire-server` would leave the server running. A process that was started in another way, or in
 * the background of a shell, is left alone. Call it first: a runner that has ended is not found.
 *
 * @returns A function that calls `stop` once the runner has been ended, even if that was before.
 */
export function watchRunner(): (stop: () => void) => void {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined
  const parent = process.ppid
  const waiting = waitingAncestors()
  if (waiting.length === 0) return () => undefined
  const runs = (): boolean => process.ppid === parent && waiting.every(isRunning)
  return (stop) => {
    if (!runs()) return stop()
    const timer = setInterval(() => {
      if (runs()) return
      clearInterval(timer)
      stop()
    }, CHECK_EVERY_MS).unref()
  }
}

/** Returns the processes that wait for this one, from its parent up to the first that may not. */
function waitingAncestors(): number[] {
  const found: number[] = []
  for (let pid = process.ppid; pid > 1; ) {
    const { parent, command } = processOf(pid)
    if (!waits(command)) break
    found.push(pid)
    pid = parent
  }
  return found
}

/** On Linux `ps` may be missing; elsewhere there is no `/proc`. */
function processOf(pid: number): { readonly parent: number; readonly command: string } {
  try {
    if (process.platform === 'linux') {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return { parent: Number(parent), command }
    }
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    const line = execFileSync('ps', ['-o', 'ppid=', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    const [, parent, command = ''] = /^\s*(\d+)\s+(.*)/.exec(line) ?? []
    return { parent: Number(parent), command }
  } catch {
    // It has ended, or this is Windows.
    return { parent: 0, command: '' }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
