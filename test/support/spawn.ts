import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

/** How a program ended, and everything that it printed. */
export interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** A running program. */
export interface Spawned {
  child: ChildProcessWithoutNullStreams
  /** Output so far. */
  readonly stdout: string
  readonly stderr: string
  /** Resolves to the first line on stdout. Rejects if the program ends before. */
  readonly firstLine: Promise<string>
  readonly finished: Promise<Finished>
}

/** Starts Node with only the given environment, and `PATH`. */
export function start(
  args: readonly string[],
  env: Record<string, string | undefined>,
  input?: string,
): Spawned {
  return startProgram(process.execPath, args, env, input)
}

/**
 * Starts a program with pipes on all three streams. Do not block while waiting for it: its server may run in this thread.
 *
 * @param input What it reads on stdin, which is then closed. @default stdin stays open
 */
export function startProgram(
  program: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
  input?: string,
): Spawned {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env } as unknown as NodeJS.ProcessEnv,
    stdio: 'pipe',
  })
  let stdout = ''
  let stderr = ''
  // A character may be in two chunks.
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8')
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.indexOf('\n')))
    })
    child.on('close', () => reject(new Error(`the program ended before its first line: ${stderr}`)))
  })
  firstLine.catch(() => {})
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  // A program may end before it reads its input.
  child.stdin.on('error', () => {})
  if (input !== undefined) child.stdin.end(input)
  return {
    child,
    get stdout() {
      return stdout
    },
    get stderr() {
      return stderr
    },
    firstLine,
    finished,
  }
}
