#!/usr/bin/env node
import { HELP, readFlags, UsageError } from './bin/arguments.ts'
import { greeting, machineLine } from './bin/greeting.ts'
import { serve } from './bin/serve.ts'
import { VERSION } from './version.ts'

/** Runs `formwire-server`. Exits with 0 after SIGINT or SIGTERM, and with 2 after a usage error. */
async function main(argv: readonly string[]): Promise<void> {
  if (argv[0] === 'receiver') {
    const { runReceiver } = await import('./receiver/run-receiver.ts')
    process.exitCode = await runReceiver(argv.slice(1))
    return
  }
  const flags = readFlags(argv, process.env)
  if (flags.help) return print(HELP)
  if (flags.version) return print(`${VERSION}\n`)
  const { server, url } = await serve(flags)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second signal has no listener and ends the process immediately.
    process.once(signal, () => {
      server.close().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
  print(flags.json ? machineLine(server, url) : greeting(server, url))
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
