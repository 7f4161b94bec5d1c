import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** Connections that hold the ports until the process ends; without a reference they would be garbage. */
const holding: unknown[] = []

/**
 * Returns a port of 127.0.0.1 that refuses connections until a program of the test listens on it. It stays reserved: it is the local port of an
 * open connection, bound with SO_REUSEADDR, so the system gives it to nobody, and only a program that asks for it by number can listen.
 */
export async function freePort(): Promise<number> {
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
  holding.push(held, socket)
  return held.localPort as number
}
