import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy between a browser and a server that can simulate network failures. */
export interface Network {
  readonly url: string
  /** Closes all connections and accepts no new ones. */
  cut(): void
  /** Keeps event streams open without data, as after sleep. Closes other connections; new ones work. */
  freeze(): void
  mend(): void
  close(): Promise<void>
}

export async function networkTo(target: string): Promise<Network> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<[Socket, Socket]>()
  const streams = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const upstream = connect(Number(port), hostname)
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    client.pipe(upstream).pipe(client)
    upstream.on('data', (bytes: Buffer) => {
      if (bytes.includes('text/event-stream')) streams.add(client)
    })
    for (const socket of pair) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        pairs.delete(pair)
        for (const other of pair) other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const destroyAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      destroyAll()
    },
    freeze() {
      for (const [client, upstream] of pairs) {
        upstream.unpipe(client)
        client.unpipe(upstream)
        if (!streams.has(client)) client.destroy()
      }
    },
    mend() {
      isCut = false
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        destroyAll()
      }),
  }
}
