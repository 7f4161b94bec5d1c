import { watchRunner } from '@formwire/internal/package-runner'
import { VERSION } from '../version.ts'
import { HELP, readFlags, UsageError } from './arguments.ts'
import { cliCommand, greeting, machineLine } from './greeting.ts'
import type { PulledSeed, Serving } from './serve.ts'

/**
 * Runs `formwire-server`, with a pulled seed instead of `--seed` if there is one. Reports errors, and exits with 0 after SIGINT, SIGTERM or the end
 * of its package runner, and with 2 after a usage error.
 */
export async function runServer(argv: readonly string[], pulled?: PulledSeed): Promise<void> {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // The reader of the first line may have closed the pipe; the server keeps running, also where the disk is full.
    if (code === 'EPIPE' || process.exitCode) return
    process.exitCode = 1
    process.stderr.write(`formwire-server: cannot write the output: ${message}\n`)
  })
  try {
    await start(argv, pulled)
  } catch (error) {
    const isUsage = error instanceof UsageError
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
    process.stderr.write(`formwire-server: ${(isUsage ? undefined : stack) ?? message}\n`)
    process.exitCode = isUsage ? 2 : 1
  }
}

async function start(argv: readonly string[], pulled: PulledSeed | undefined): Promise<void> {
  const onRunnerEnd = watchRunner()
  if (argv[0] === 'receiver') {
    const { runReceiver } = await import('../receiver/run-receiver.ts')
    process.exitCode = await runReceiver(argv.slice(1))
    return
  }
  const flags = readFlags(argv, process.env)
  if (flags.help) return print(HELP)
  if (flags.version) return print(`${VERSION}\n`)
  const { serve } = await import('./serve.ts')
  const serving = await serve(flags, pulled)
  onRunnerEnd(stopOnSignals(serving))
  const { server, url } = serving
  const cli = cliCommand(process.cwd(), process.env.PATH)
  const isTerminal = process.stdout.isTTY && process.stdout.hasColors()
  print(
    flags.json
      ? machineLine(server, url)
      : greeting(server, url, { state: flags.state, cli, source: pulled?.seed.source, isTerminal }),
  )
}

/** Closes the server, saves its state and exits with 0. A second signal saves and exits without waiting for the server. Returns what a signal does. */
function stopOnSignals({ server, saveState }: Serving): () => void {
  const exit = (code: number): void => {
    try {
      saveState()
      process.exit(code || process.exitCode)
    } catch (error) {
      process.stderr.write(`formwire-server: ${(error as Error).message}\n`)
      process.exit(1)
    }
  }
  let stopping = false
  const stop = (): void => {
    if (stopping) exit(0)
    else {
      stopping = true
      server.close().then(
        () => exit(0),
        () => exit(1),
      )
    }
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // Ctrl-Break on Windows; elsewhere it does not occur.
  process.on('SIGBREAK', stop)
  return stop
}

function print(text: string): void {
  process.stdout.write(text)
}
