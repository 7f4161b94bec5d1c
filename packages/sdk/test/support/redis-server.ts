import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createClient } from 'redis'
import { afterAll, beforeAll } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'

/** Starts a Redis of its own, which keeps nothing, on a free loopback port. `stop` kills it, as a crash would. */
export async function startRedis(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await ready(child)
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Starts a Redis for the tests of a block, with a client. Both are for use within a test. */
export function useRedis() {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let client: Awaited<ReturnType<typeof connect>>
  beforeAll(async () => {
    redis = await startRedis()
    client = await connect(redis.url)
  })
  afterAll(async () => {
    client?.destroy()
    await redis?.stop()
  })
  return {
    get url() {
      return redis.url
    },
    get client() {
      return client
    },
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
