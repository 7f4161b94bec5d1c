import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'

/** Starts a program that listens; killing it closes every connection. */
export async function listens(port: number, listener: RequestListener): Promise<{ kill(): Promise<void> }> {
  const server = createServer(listener)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    async kill() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
