import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Inside the package, so that external modules are resolved. */
const OUT_DIR = fileURLToPath(
  new URL(`../../node_modules/.built-${process.pid}-${Date.now().toString(36)}`, import.meta.url),
)

/** Builds the published program and returns the path of its entry. */
export function buildCli(): string {
  const tsup = fileURLToPath(new URL('../../../../node_modules/tsup/dist/cli-default.js', import.meta.url))
  const packageDir = fileURLToPath(new URL('../../', import.meta.url))
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [tsup, '--out-dir', OUT_DIR, '--no-sourcemap', '--silent'],
    { cwd: packageDir, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`the build failed with ${status}:\n${stdout}${stderr}`)
  return `${OUT_DIR}/bin.js`
}

/** Removes the build. */
export function removeBuild(): void {
  rmSync(OUT_DIR, { recursive: true, force: true })
}

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
