import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { hasProgram } from '../../../test/support/programs.ts'

/** Whether Redis is available for tests. */
export const hasRedis = process.env.REDIS_URL !== undefined || hasProgram('redis-server')

/** Starts a Redis on a free loopback port, unless REDIS_URL is set. */
export async function startRedis(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.REDIS_URL
  if (given !== undefined) return { url: given, stop: async () => {} }
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(server, 'exit')
  for await (const line of server.stdout.setEncoding('utf8')) {
    if (String(line).includes('Ready to accept connections')) break
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      server.kill('SIGKILL')
      await exited
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}
