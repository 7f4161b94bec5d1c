import type { ChildProcess } from 'node:child_process'
import { accessSync, constants as fileConstants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { SleepClock } from '@formwire/internal/clock'
import type { Context } from './context.ts'
import { Failure, fileProblem } from './failure.ts'
import { outlasts } from './interrupt.ts'

/** Exit codes of a shell. */
const NOT_EXECUTABLE = 126
const NOT_FOUND = 127
/** Where a command is looked for without PATH. */
const DEFAULT_PATH = '/usr/bin:/bin'

/**
 * Checks that the command can be found, so that nothing is created for one that cannot. Windows looks in more places than PATH, so
 * there the start finds out. @throws Failure exit 127 if it is not found, 126 if it is not executable
 */
export function checkCommand({ runtime }: Context, argv: readonly string[]): void {
  if (process.platform === 'win32') return
  const [program = ''] = argv
  const paths = program.includes('/')
    ? [program]
    : (runtime.env.PATH ?? DEFAULT_PATH).split(delimiter).map((directory) => join(directory || '.', program))
  let failure: NodeJS.ErrnoException | undefined
  for (const path of paths) {
    try {
      accessSync(path, fileConstants.X_OK)
      if (statSync(path).isFile()) return
    } catch (error) {
      // A file that is there, but not executable, is a better reason than one that is not.
      if ((error as NodeJS.ErrnoException).code === 'EACCES') failure = error as NodeJS.ErrnoException
    }
  }
  throw startFailure(program, failure)
}

/** Signals all processes of a child that was started as a group of its own (`detached`). */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // All of its processes have ended.
  }
}

/** Milliseconds between SIGTERM and SIGKILL. */
export const GRACE_MS = 5_000

/**
 * Ends a child that was started as a group of its own: by SIGTERM, and by SIGKILL if it takes too long.
 * @param ended resolves or rejects when it has ended @param onLate called before it is killed
 */
export async function endGroup(
  child: ChildProcess,
  ended: Promise<unknown>,
  clock: SleepClock,
  onLate?: () => void,
): Promise<void> {
  signalGroup(child, 'SIGTERM')
  if (!(await outlasts(ended, GRACE_MS, clock))) return
  onLate?.()
  signalGroup(child, 'SIGKILL')
  await ended.catch(() => undefined)
}

/** Returns why a command could not be started. Without an error, nothing was found. */
export function startFailure(program: string, error?: NodeJS.ErrnoException): Failure {
  return error === undefined || error.code === 'ENOENT'
    ? new Failure(`command not found: ${program}`, { exitCode: NOT_FOUND, code: 'command_not_found' })
    : new Failure(`cannot start ${program}: ${fileProblem(error) ?? error.code}`, {
        exitCode: NOT_EXECUTABLE,
        code: 'command_not_started',
        hint: 'check that it is an executable file',
      })
}
