import { type ChildProcess, spawn } from 'node:child_process'

interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** A command in a child process. */
export interface Spawned {
  child: ChildProcess
  /** Output so far. */
  readonly stdout: string
  readonly stderr: string
  finished: Promise<Finished>
}

/** Starts node with pipes on all three streams. */
export function start(
  args: readonly string[],
  env: Record<string, string | undefined>,
  input?: string,
): Spawned {
  return startProgram(process.execPath, args, env, input)
}

/** Starts a program. Do not block while waiting for it: its server runs in this thread. */
export function startProgram(
  program: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
  input?: string,
): Spawned {
  const child = spawn(program, [...args], {
    env: { PATH: process.env.PATH, ...env } as unknown as NodeJS.ProcessEnv,
    stdio: 'pipe',
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  if (input !== undefined) child.stdin.end(input)
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return {
    child,
    get stdout() {
      return stdout
    },
    get stderr() {
      return stderr
    },
    finished,
  }
}
