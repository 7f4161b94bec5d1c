import type { Readable } from 'node:stream'

/** A stream that text is written to: `process.stdout`, or a collector in a test. */
export interface TextStream {
  write(text: string, done?: (error?: Error | null) => void): boolean
  isTTY?: boolean | undefined
  columns?: number | undefined
  rows?: number | undefined
}

/** Standard input as the commands use it. */
export interface InputStream extends Readable {
  isTTY?: boolean | undefined
}

/** Time as commands see it; tests pass their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Everything outside that a command may touch. */
export interface Runtime {
  env: Readonly<Record<string, string | undefined>>
  stdin: InputStream
  stdout: TextStream
  stderr: TextStream
  clock: Clock
  /** Home directory, for the configuration where no XDG directory is set. */
  homeDir: string
  /** Aborts with a `Stopped` when a signal came or the reader of stdout went away. */
  stop: AbortSignal
  /** Lets go of signals and takes on the name and arguments of another program, which then runs in this process. */
  becomeAnotherProgram(path: string, argv: readonly string[]): void
  /** Eight or more characters that differ each time: names of temporary files. */
  randomId(): string
}
