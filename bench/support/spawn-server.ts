import { type ChildProcess, spawn } from 'node:child_process'

/** A child process that has printed its first line. */
export interface Spawned {
  readonly child: ChildProcess
  readonly line: Record<string, string>
  /** From the call to the line, in milliseconds. */
  readonly afterMs: number
}

/** Starts Node with these arguments, pinned to `core` if given, and waits for one line of JSON. */
export function spawnServer(
  args: string[],
  { core, env = {} }: { core?: number; env?: Record<string, string> } = {},
): Promise<Spawned> {
  // NODE_EXTRA_CA_CERTS makes Node start three times as slowly, which would distort every ratio.
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env
  const command =
    core === undefined
      ? [process.execPath, ...args]
      : ['taskset', '-c', String(core), process.execPath, ...args]
  const from = performance.now()
  const child = spawn(command[0] as string, command.slice(1), {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`${args.join(' ')} exited with ${code}`)))
    child.stdout?.on('data', (chunk) => {
      text += chunk
      const end = text.indexOf('\n')
      if (end >= 0)
        resolve({ child, line: JSON.parse(text.slice(0, end)), afterMs: performance.now() - from })
    })
  })
}

/** Kills a child process and waits until it has exited. */
export function stop({ child }: Spawned): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners('close')
    child.once('close', () => resolve())
    child.kill('SIGKILL')
  })
}
