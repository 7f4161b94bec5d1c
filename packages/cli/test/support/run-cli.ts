import { Readable } from 'node:stream'
import { quickClock } from '../../../../test/support/quick-clock.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { main } from '../../src/main.ts'
import type { InputStream, Runtime, TextStream } from '../../src/runtime.ts'

/** The time at the start of every test. */
export const NOON = Date.parse('2026-11-21T12:00:00.000Z')

export interface CliOptions {
  env?: Record<string, string | undefined>
  /** Columns of a terminal on stdout; without it stdout is a pipe. */
  terminal?: number
  /** stderr is a terminal too. */
  errorTerminal?: boolean
  /** Text on stdin, or what stdin is. With `reply` instead, stdin is a terminal and this is typed. */
  stdin?: string | Readable
  reply?: string
  homeDir?: string
  now?: number | (() => number)
  /** Stops the command. */
  stop?: AbortSignal
  /** Called with every write to stdout. */
  onStdout?: (text: string) => void
  /** Called with every write to stderr. */
  onStderr?: (text: string) => void
  /** Called with the exit code once it is known, before the clean-up. */
  onSetExitCode?: (exitCode: number) => void
  /** Called instead of sleeping. */
  onSleep?: (ms: number) => Promise<void>
  /** The API client retries at once, and polls without a pause. */
  retriesAtOnce?: boolean
  /** Collects what would run if the process exited at once. */
  atExit?: Set<() => void>
}

export interface CliResult {
  code: number
  stdout: string
  stderr: string
}

/** Returns what a command line ends with: its exit code, and what it has printed. */
export const outcome = (code: number, stdout = '', stderr = ''): CliResult => ({ code, stdout, stderr })

/** Returns the lines of an output, without the end of the last one. */
const linesOf = (text: string): string[] => text.trimEnd().split('\n')

/** Returns the cells of tab-separated lines. */
export const rowsOf = (text: string): string[][] =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'))

/** Returns the values of lines of JSON. */
export const valuesOf = (text: string) => linesOf(text).map((line) => JSON.parse(line))

/** The words of a command line: in a text, they are separated by single spaces. */
export type CommandLine = string | readonly string[]

/** Returns the words of a command line. */
export const wordsOf = (line: CommandLine): readonly string[] =>
  typeof line === 'string' ? line.split(' ') : line

/** Runs a command line in this process with the given streams, clock and terminal width. */
export async function runCli(line: CommandLine, options: CliOptions = {}): Promise<CliResult> {
  const stdout = new Collector(options.terminal, options.onStdout)
  const stderr = new Collector(options.errorTerminal ? (options.terminal ?? 80) : undefined, options.onStderr)
  const runtime: Runtime = {
    env: options.env ?? {},
    stdin: input(options),
    stdout,
    stderr,
    clock: {
      now: () => (typeof options.now === 'function' ? options.now() : (options.now ?? NOON)),
      sleep: (ms, signal) => options.onSleep?.(ms) ?? untilAborted(signal),
    },
    ...(options.retriesAtOnce && { clientClock: quickClock() }),
    homeDir: options.homeDir ?? temporaryDirectory(),
    stop: options.stop ?? new AbortController().signal,
    execProgram: () => {
      throw new Error('not available in this test')
    },
    setExitCode: (exitCode) => options.onSetExitCode?.(exitCode),
    randomId: () => 'random01',
    atExit(action) {
      options.atExit?.add(action)
      return () => void options.atExit?.delete(action)
    },
  }
  const code = await main(wordsOf(line), runtime)
  return { code, stdout: stdout.text, stderr: stderr.text }
}

/** Time does not pass: sleeps until aborted. */
function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason)
    else signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function input({ stdin, reply }: CliOptions): InputStream {
  if (stdin instanceof Readable) return stdin
  const stream: InputStream = Readable.from((stdin ?? reply) ? [Buffer.from(stdin ?? reply ?? '')] : [])
  if (reply !== undefined) stream.isTTY = true
  return stream
}

class Collector implements TextStream {
  text = ''
  readonly isTTY: boolean
  readonly columns: number | undefined
  readonly #onText: ((text: string) => void) | undefined

  constructor(columns: number | undefined, onText?: (text: string) => void) {
    this.isTTY = columns !== undefined
    this.columns = columns
    this.#onText = onText
  }

  write(text: string, done?: (error?: Error | null) => void): boolean {
    this.text += text
    this.#onText?.(text)
    done?.()
    return true
  }
}
