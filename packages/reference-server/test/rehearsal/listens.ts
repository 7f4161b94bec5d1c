import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'

/**
 * Starts a program that listens; killing it closes every connection. A process that another thread of this one starts meanwhile has the
 * socket of the one before until it runs its own program.
 */
export async function listens(port: number, listener: RequestListener): Promise<{ kill(): Promise<void> }> {
  const server = createServer(listener)
  await vi.waitFor(async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }, WAIT_MS)
  return {
    async kill() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
