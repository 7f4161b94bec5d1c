import { Readable } from 'node:stream'
import { main } from '@formwire/cli/main'

/** The result of one run of `formwire`. */
export interface CommandResult {
  exitCode: number
  stdout: string
  stderr: string
}

/** Runs the `formwire` command inside this process, as if its output were piped. */
export async function formwireCommand(argv: string[], env: Record<string, string>): Promise<CommandResult> {
  const stdout = new Collector()
  const stderr = new Collector()
  const exitCode = await main(argv, {
    env,
    stdin: Readable.from([]),
    stdout,
    stderr,
    clock: {
      now: () => Date.now(),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    },
    homeDir: '/nonexistent',
    stop: new AbortController().signal,
    randomId: () => 'tour0000',
    execProgram: () => {},
  })
  return { exitCode, stdout: stdout.text, stderr: stderr.text }
}

class Collector {
  text = ''

  write(text: string, done?: (error?: Error | null) => void): boolean {
    this.text += text
    done?.()
    return true
  }
}
