import type { Readable } from 'node:stream'
import type { SleepClock } from '@formwire/internal/clock'
import type { Clock as ClientClock } from '@formwire/sdk'

/** A text output stream: `process.stdout`, or a collector in a test. */
export interface TextStream {
  write(text: string, done?: (error?: Error | null) => void): boolean
  isTTY?: boolean | undefined
  columns?: number | undefined
  rows?: number | undefined
  /** File descriptor, which a child process can inherit. */
  fd?: number | undefined
}

export interface InputStream extends Readable {
  isTTY?: boolean | undefined
}

/** Everything outside the program that a command may use. */
export interface Runtime {
  env: Readonly<Record<string, string | undefined>>
  stdin: InputStream
  stdout: TextStream
  stderr: TextStream
  /** The time source of commands; tests pass a fake one. */
  clock: SleepClock
  /** Time source of the API client, for its retries and deadlines. @default the system clock */
  clientClock?: ClientClock
  /** Home directory; contains the configuration unless XDG_CONFIG_HOME is set. */
  homeDir: string
  /** Aborts with a `Stopped` after a signal, or when the reader of stdout closes the pipe. */
  stop: AbortSignal
  /** Values that must not appear in an error, to which a command adds its own. @default those of the command alone */
  secrets?: string[]
  /** Sets the exit code of a command that cleans up after a signal, for the case that a further signal ends the process. */
  setExitCode?(exitCode: number): void
  /** Removes the signal handlers and sets the path and arguments of another program, which then runs in this process. */
  execProgram(path: string, argv: readonly string[]): void
  /** Runs a synchronous action when the process exits, such as after a second Ctrl-C. Returns a function that cancels it. */
  atExit?(action: () => void): () => void
  /** Returns eight or more characters, different each time, for names of temporary files. */
  randomId(): string
}

/** The part of the runtime that says where configuration and state are, and overrides them. */
export type ConfigEnvironment = Pick<Runtime, 'env' | 'homeDir'>
