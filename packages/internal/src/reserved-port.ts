import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/**
 * Reserves a port of 127.0.0.1, until `release`, that refuses connections until a program listens on it, and again while that program is down. It is the local port of an
 * open connection, bound with SO_REUSEADDR, so the system gives it to nobody, and only a program that asks for it by number can listen.
 */
export async function reservePort(): Promise<{ readonly port: number; release(): void }> {
  const server = createServer().listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // An explicit local address makes Node bind the socket with SO_REUSEADDR before it connects.
  const held = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1', localPort: 0 }).unref()
  const accepted = once(server, 'connection')
  await once(held, 'connect')
  const [socket] = await accepted
  socket.unref()
  // The one connection stays.
  server.close()
  return {
    port: held.localPort as number,
    release() {
      held.destroy()
      socket.destroy()
    },
  }
}

export type ReservedPort = Awaited<ReturnType<typeof reservePort>>
