import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, inject } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const running = new Set<ChildProcess>()

afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

/** `formwire-server` in a process of its own. It is killed after the tests of a file. */
export interface Run {
  readonly child: ChildProcess
  /** The first line on stdout. */
  readonly firstLine: Promise<string>
  readonly ended: Promise<{ code: number | null; out: string; err: string }>
}

/** Starts `formwire-server`. */
export function run(args: string[], env: Record<string, string> = {}): Run {
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env
  const child = spawn(process.execPath, [inject('programs')['reference-server'], ...args], {
    cwd: root,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let out = ''
  let err = ''
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      out += chunk
      if (out.includes('\n')) resolve(out.slice(0, out.indexOf('\n')))
    })
    child.once('close', () => reject(new Error(`exited without a line: ${err}`)))
  })
  firstLine.catch(() => undefined)
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.once('close', (code) => {
      running.delete(child)
      resolve({ code, out, err })
    })
  })
  return { child, firstLine, ended }
}
