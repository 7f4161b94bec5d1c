import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createClient } from 'redis'
import { freePort } from '../../../../test/support/free-port.ts'

/** Starts a Redis of its own on a free loopback port. */
export async function startRedis(): Promise<{ url: string; stop: () => Promise<void> }> {
  const redis = await new OwnRedis(await freePort()).start()
  return { url: redis.url, stop: () => redis.stop() }
}

/** A Redis of the test's own. Without a directory for an append-only file, it loses its data when it is stopped. */
export class OwnRedis {
  readonly url: string
  readonly #port: number
  readonly #directory: string | undefined
  #child: ChildProcess | undefined

  constructor(port: number, directory?: string) {
    this.#port = port
    this.#directory = directory
    this.url = `redis://127.0.0.1:${port}`
  }

  /** Process id of the server that runs. */
  get pid(): number {
    return this.#child?.pid as number
  }

  async start(): Promise<this> {
    const kept = this.#directory ? ['--appendonly', 'yes', '--dir', this.#directory] : ['--appendonly', 'no']
    this.#child = spawn(
      'redis-server',
      ['--port', String(this.#port), '--bind', '127.0.0.1', '--save', '', ...kept],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await ready(this.#child)
    return this
  }

  /** Kills it, as a crash would. */
  async stop(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

/** A connected client. */
export async function connect(url: string) {
  const client = createClient({ url, socket: { reconnectStrategy: 20 } })
  client.on('error', () => {})
  await client.connect()
  return client
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += chunk
      if (output.includes('Ready to accept connections')) resolve()
    })
    child.once('exit', () => reject(new Error(`redis-server ended: ${output}`)))
  })
}
