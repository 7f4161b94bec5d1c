import { homedir } from 'node:os'
import { EXIT } from './exit.ts'
import { Stopped } from './failure.ts'
import { main } from './main.ts'
import type { Clock, Runtime } from './runtime.ts'

/** How long a finished command may keep the process alive by something it left open. */
const LINGER_MS = 250

/** Runs a command line on the real process: its streams, signals, clock and exit code. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  const stop = new AbortController()
  endOnSignals(stop)
  // What nobody caught still lets the command clean up, and is told like every failure.
  process.on('uncaughtException', (error) => stop.abort(error))
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Nobody reads any more: not worth a word. The command ends as done.
      if (error.code !== 'EPIPE') throw error
      if (stream === process.stdout) stop.abort(new Stopped('output closed'))
    })
  }
  process.exitCode = await main(argv, realRuntime(stop.signal))
  process.stdin.unref?.()
  // Exits by itself when nothing is open; process.exit() would cut off what a pipe has not taken yet.
  await flushed(process.stdout)
  setTimeout(() => process.exit(), LINGER_MS).unref()
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first signal ends the command and lets it clean up; a second one ends the process at once. */
function endOnSignals(stop: AbortController): void {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(EXIT.interrupted)
      stop.abort(new Stopped('interrupted'))
    })
  }
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve()
    else stream.write('', () => resolve())
  })
}

function realRuntime(stop: AbortSignal): Runtime {
  return {
    env: process.env,
    // Looked at only when a command reads it: opening stdin can keep a process alive.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    clock: realClock,
    get homeDir() {
      return homedir()
    },
    stop,
    becomeAnotherProgram(path, argv) {
      for (const event of [...SIGNALS, 'uncaughtException']) process.removeAllListeners(event)
      process.stdout.removeAllListeners('error')
      process.argv = [process.execPath, path, ...argv]
    },
    randomId: () => `${process.pid.toString(36)}${Math.random().toString(36).slice(2, 10)}`,
  }
}

const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      if (signal?.aborted) onAbort()
      else signal?.addEventListener('abort', onAbort, { once: true })
    }),
}
