import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Context } from '../context.ts'
import { outlasts } from '../interrupt.ts'
import { endGroup, GRACE_MS, signalGroup, startFailure } from '../process-group.ts'
import type { TextStream } from '../runtime.ts'

/** Milliseconds after which it is announced that the command has not ended yet. */
const PATIENCE_MS = 500
/** How the handler's command has ended. */
export interface CommandEnd {
  /** Its exit code; 128 + the signal's number if a signal ended it. */
  exitCode: number
  /** The signal that ended it. */
  signal: NodeJS.Signals | null
}

/** The handler's command, such as `node app.js`. */
export interface HandlerCommand {
  /** Resolves when it has ended. @throws Failure exit 127 if it is not found */
  readonly ended: Promise<CommandEnd>
  /** Whether it is running. */
  running(): boolean
}

/**
 * Starts the command with FORMWIRE_WEBHOOK_SECRET. It is a process group of its own, which ends with this command: first by
 * SIGTERM, after a grace by SIGKILL.
 */
export function startCommand(context: Context, argv: readonly string[], secret: string): HandlerCommand {
  const { runtime, output } = context
  const [program = '', ...args] = argv
  // With --json, stdout is for deliveries alone.
  const sinks = [output.json ? runtime.stderr : runtime.stdout, runtime.stderr]
  const child = spawn(program, args, {
    env: { ...runtime.env, FORMWIRE_WEBHOOK_SECRET: secret } as unknown as NodeJS.ProcessEnv,
    stdio: [runtime.stdin.isTTY === true ? 'inherit' : 'ignore', ...sinks.map(({ fd }) => fd ?? 'pipe')],
    // Windows would open a window.
    detached: process.platform !== 'win32',
  })
  for (const [at, from] of [child.stdout, child.stderr].entries()) copy(from, sinks[at] as TextStream)
  let running = true
  const ended = new Promise<CommandEnd>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      running = false
      reject(startFailure(program, error))
    })
    child.once('exit', () => {
      running = false
    })
    // Inherited output needs no wait; copied output must be complete.
    child.once(child.stderr ? 'close' : 'exit', (code: number | null, signal: NodeJS.Signals | null) => {
      resolve({ exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), signal })
    })
  })
  ended.catch(() => undefined)
  const killAll = (): void => signalGroup(child, 'SIGKILL')
  context.onExit(async () => {
    if (running) await terminate(context, child, ended)
    // Processes that it has left behind.
    killAll()
  }, killAll)
  return { ended, running: () => running }
}

/** Reports that the command has ended by itself. */
export function announceEnd({ output }: Context, { exitCode, signal }: CommandEnd): void {
  const how =
    signal === null ? `exited with code ${exitCode}` : `was ended by ${signal} (exit code ${exitCode})`
  output.announce('command_ended', `the command ${how}`, { exit_code: exitCode, signal })
}

async function terminate(
  { runtime: { clock }, output }: Context,
  child: ChildProcess,
  ended: Promise<unknown>,
): Promise<void> {
  void outlasts(ended, PATIENCE_MS, clock).then((late) => {
    if (late)
      output.announce('command_ending', 'waiting for the command to end (press Ctrl-C again to kill it)')
  })
  await endGroup(child, ended, clock, () =>
    output.announce('command_killed', `the command ignored SIGTERM for ${GRACE_MS / 1000} s and was killed`),
  )
}

function copy(from: ChildProcess['stdout'], to: TextStream): void {
  from?.setEncoding('utf8').on('data', (text: string) => to.write(text))
}
