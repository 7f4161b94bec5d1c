import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { Row } from './api.ts'

export type Handle = (
  delivery: { event: string; response: Row },
  context: { deliveryId: string; acknowledge: () => void },
) => unknown

/**
 * Receives deliveries, and acknowledges each once `handle` has ended.
 *
 * @param handle Gets the event, the delivery id, and a function that acknowledges at once.
 */
export function receive(handle: Handle, secret = process.env.FORMWIRE_WEBHOOK_SECRET ?? ''): void {
  createServer(async (request, response) => {
    try {
      const body = Buffer.concat(await request.toArray())
      if (!isGenuine(request.headers, body, secret)) return response.writeHead(401).end()
      const acknowledge = () => void (response.headersSent || response.writeHead(200).end())
      await handle(JSON.parse(body.toString()), {
        deliveryId: String(request.headers['x-service-delivery']),
        acknowledge,
      })
      acknowledge()
    } catch (error) {
      console.error(error)
      response.writeHead(500).end()
    }
  }).listen(Number(process.env.PORT), '127.0.0.1')
}

function isGenuine(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const timestamp = headers['x-service-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  const given = Buffer.from(String(headers['x-service-signature']))
  return given.length === 71 && timingSafeEqual(given, Buffer.from(`sha256=${expected}`))
}
