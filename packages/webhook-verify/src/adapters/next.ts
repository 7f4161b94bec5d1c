import { verifyWebhook } from '../web.ts'
import { type NodeRequestLike, readNodeRequest } from './raw-body.ts'
import { createReceive, type ReceiverOptions } from './receiver.ts'

// Route handlers of the App Router are fetch handlers: `export const POST = createReceiver({ … })`.
export type * from '../types.ts'
export { createReceiver, verifyRequest } from './fetch.ts'

/** The part of `NextApiResponse` that is used. */
export interface NextApiResponseLike {
  status(code: number): unknown
  setHeader(name: string, value: string): unknown
  send(body: string): unknown
}

/**
 * Creates a handler for an API route of the Pages Router. The file must also export the `config` of the example; without
 * it, every delivery fails with "body_already_parsed".
 * @example
 * export const config = { api: { bodyParser: false } }
 * export default createPagesReceiver({ secret: () => process.env.FORMWIRE_WEBHOOK_SECRET, on })
 */
export function createPagesReceiver(
  options: ReceiverOptions,
): (request: NodeRequestLike, response: NextApiResponseLike) => Promise<void> {
  const receive = createReceive(verifyWebhook, readNodeRequest, options)
  return async (request, response) => {
    const { status, headers, body } = await receive(request.method, request)
    response.status(status)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.send(body)
  }
}
