import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A delivery as it came. */
interface Delivery {
  responseId: number
  headers: Record<string, string>
  body: string
}

/** Stands between the service and its receivers, and loses, doubles and delays deliveries. */
export interface UnreliableProxy {
  url: string
  /** Ports of the receivers. Without one, every delivery is lost. */
  ports: Set<number>
  /** Whether deliveries are passed on as they are from now on. */
  isReliable: boolean
  /** Ids of responses of which some delivery was sent to a receiver. */
  forwarded: Set<number>
  /** Ids of responses of which a receiver acknowledged a delivery. */
  acknowledged: Set<number>
  /** Sends what was delayed, again and out of order. */
  sendDelayed(): Promise<void>
  close(): Promise<void>
}

/** Starts a proxy. @param random returns an integer from 0 to `below` − 1 */
export async function startUnreliableProxy(random: (below: number) => number): Promise<UnreliableProxy> {
  const delayed: Delivery[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    await pass(deliveryOf(request.headers, Buffer.concat(chunks).toString()), response)
  })
  const proxy: UnreliableProxy = {
    url: '',
    ports: new Set(),
    isReliable: false,
    forwarded: new Set(),
    acknowledged: new Set(),
    async sendDelayed() {
      await Promise.all(delayed.splice(0).reverse().map(forward))
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function pass(delivery: Delivery, response: ServerResponse): Promise<void> {
    const fate = proxy.isReliable ? 9 : random(10)
    if (fate === 0) delayed.push(delivery)
    if (fate === 1) delayed.push(delivery, delivery)
    const isLost = fate < 3
    const statuses = isLost
      ? []
      : await Promise.all([forward(delivery), ...(fate === 3 ? [forward(delivery)] : [])])
    // Passed on, but the service does not learn of it.
    if (fate === 4 || statuses[0] === undefined) response.destroy()
    else response.writeHead(statuses[0]).end()
  }

  /** Returns the status of the receiver, or `undefined` if it died. */
  async function forward({ responseId, headers, body }: Delivery): Promise<number | undefined> {
    const ports = [...proxy.ports]
    const port = ports[random(ports.length)]
    if (port === undefined) return undefined
    proxy.forwarded.add(responseId)
    try {
      const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
      if (status === 200) proxy.acknowledged.add(responseId)
      return status
    } catch {
      return undefined
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return proxy
}

function deliveryOf(headers: IncomingHttpHeaders, body: string): Delivery {
  const { response } = JSON.parse(body) as { response: { id: number } }
  const kept = Object.entries(headers).filter(
    ([name]) => name === 'content-type' || name.startsWith('x-service-'),
  )
  return { responseId: response.id, headers: Object.fromEntries(kept) as Record<string, string>, body }
}
