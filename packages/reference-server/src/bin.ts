#!/usr/bin/env node
import { HELP, readFlags, UsageError } from './bin/arguments.ts'
import { cliCommand, greeting, machineLine } from './bin/greeting.ts'
import type { Serving } from './bin/serve.ts'
import { watchRunner } from './package-runner.ts'
import { VERSION } from './version.ts'

/** Runs `formwire-server`. Exits with 0 after SIGINT, SIGTERM or the end of its package runner, and with 2 after a usage error. */
async function main(argv: readonly string[]): Promise<void> {
  const onRunnerEnd = watchRunner()
  if (argv[0] === 'receiver') {
    const { runReceiver } = await import('./receiver/run-receiver.ts')
    process.exitCode = await runReceiver(argv.slice(1))
    return
  }
  const flags = readFlags(argv, process.env)
  if (flags.help) return print(HELP)
  if (flags.version) return print(`${VERSION}\n`)
  const { serve } = await import('./bin/serve.ts')
  const serving = await serve(flags)
  onRunnerEnd(stopOnSignals(serving))
  const { server, url } = serving
  const cli = cliCommand(process.cwd(), process.env.PATH)
  print(flags.json ? machineLine(server, url) : greeting(server, url, { state: flags.state, cli }))
}

/** Closes the server, saves its state and exits with 0. A second signal saves and exits without waiting for the server. Returns what a signal does. */
function stopOnSignals({ server, saveState }: Serving): () => void {
  const exit = (code: number): void => {
    try {
      saveState()
      process.exit(code)
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

// The reader of the first line may have closed the pipe; the server keeps running.
process.stdout.on('error', () => undefined)

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof UsageError) {
    process.stderr.write(`formwire-server: ${error.message}\n`)
    process.exitCode = 2
  } else {
    process.stderr.write(
      `formwire-server: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
    process.exitCode = 1
  }
})
