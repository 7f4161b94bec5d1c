import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { createClient } from 'redis'

/** Whether Redis tests can run: a server to reach, or one to start. */
export const hasRedis =
  process.env.REDIS_URL !== undefined ||
  spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0

/** A Redis of its own on a free loopback port, or the one of REDIS_URL. */
export async function startRedis(): Promise<{ url: string; stop: () => Promise<void> }> {
  if (process.env.REDIS_URL) return { url: process.env.REDIS_URL, stop: async () => {} }
  const port = await freePort()
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await ready(child)
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill()
      }),
  }
}

/** A connected client. */
export async function connect(url: string) {
  const client = createClient({ url })
  client.on('error', () => {})
  await client.connect()
  return client
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
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
