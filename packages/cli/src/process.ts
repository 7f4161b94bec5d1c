import { setMaxListeners } from 'node:events'
import { homedir } from 'node:os'
import { globalClock } from '@formwire/internal/clock'
import { watchRunner } from '@formwire/internal/package-runner'
import { EXIT } from './exit.ts'
import { Stopped } from './failure.ts'
import { main, reportPlainly, wantsJson } from './main.ts'
import type { Runtime } from './runtime.ts'
import { signalHandler } from './signals.ts'

/** Milliseconds that open handles may keep the process alive after the command has finished. */
const LINGER_MS = 250

/** Runs a command line with the streams, signals, clock and exit code of this process. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  const stop = new AbortController()
  // Every request and wait in flight listens to it, so there is no number above which that is a leak. Node 20 cannot read 0 again.
  setMaxListeners(Number.POSITIVE_INFINITY, stop.signal)
  endOnSignals(stop)
  const { signal } = stop
  const runtime = realRuntime(signal)
  let isReported = false
  const reportUncaught = (error: unknown): void => {
    process.exitCode ||= EXIT.failed
    // Writing the report fails, too, where the terminal is gone.
    if (isReported) return
    isReported = true
    reportPlainly(process.stderr, error, { json: wantsJson(argv), secrets: runtime.secrets ?? [] })
  }
  // Reported like any other failure, after the command has cleaned up, unless it has ended.
  let hasEnded = false
  process.on('uncaughtException', (error) => {
    if (hasEnded || signal.aborted) reportUncaught(error)
    else stop.abort(error)
  })
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader closed the pipe, which is not an error: the command exits with 0.
      if (error.code === 'EPIPE') {
        if (stream === process.stdout) stop.abort(new Stopped('output closed'))
      } else if (!hasEnded) stop.abort(error)
      // Such as a full disk, of which each further write fails, too.
      else if (!process.exitCode) reportUncaught(error)
    })
  }
  const exitCode = await main(argv, runtime)
  hasEnded = true
  process.exitCode = exitCode || process.exitCode
  // It came while the command was cleaning up.
  if (exitCode === EXIT.done && signal.aborted && !(signal.reason instanceof Stopped))
    reportUncaught(signal.reason)
  runtime.closeStdin()
  // The process ends once nothing is open: process.exit() here would truncate output that a pipe has not accepted yet.
  await flushed(process.stdout)
  setTimeout(() => process.exit(), LINGER_MS).unref()
}

/** SIGBREAK is Ctrl-Break on Windows; elsewhere it does not occur. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const

function endOnSignals(stop: AbortController): void {
  const handle = signalHandler(stop, {
    now: () => performance.now(),
    exit: (code) => process.exit(process.exitCode ?? code),
  })
  for (const signal of SIGNALS) process.on(signal, handle)
  // A program that runs in place of the command watches by itself.
  watchRunner()(() => process.listeners('SIGTERM').includes(handle) && handle('SIGTERM'))
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve()
    else stream.write('', () => resolve())
  })
}

function realRuntime(stop: AbortSignal): Runtime & { closeStdin(): void } {
  let isStdinOpen = false
  const atExit = new Set<() => void>()
  process.once('exit', () => {
    for (const action of atExit) action()
  })
  return {
    env: process.env,
    // Opened only when a command uses it: that takes time, and an open stdin can keep the process alive.
    get stdin() {
      isStdinOpen = true
      return process.stdin
    },
    closeStdin() {
      if (isStdinOpen) process.stdin.unref?.()
    },
    stdout: process.stdout,
    stderr: process.stderr,
    clock: globalClock,
    get homeDir() {
      return homedir()
    },
    stop,
    secrets: [],
    setExitCode(exitCode) {
      process.exitCode = exitCode
    },
    execProgram(path, argv) {
      for (const event of [...SIGNALS, 'uncaughtException']) process.removeAllListeners(event)
      process.stdout.removeAllListeners('error')
      process.argv = [process.execPath, path, ...argv]
    },
    atExit(action) {
      atExit.add(action)
      return () => void atExit.delete(action)
    },
    randomId: () => `${process.pid.toString(36)}${Math.random().toString(36).slice(2, 10)}`,
  }
}
