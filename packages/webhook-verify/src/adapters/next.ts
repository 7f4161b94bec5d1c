import { createReceive, methodNotAllowed, type ReceiverOptions } from '../receiver.ts'
import { verifyWebhook } from '../web.ts'
import { type NodeRequestLike, readNodeRequest } from './raw-request.ts'

// The App Router speaks the fetch standard, on Node and at the edge: `export const POST = createReceiver({ … })`.
export {
  createReceiver,
  type EventHandlers,
  type ReceiverOptions,
  type VerifyRequestOptions,
  verifyRequest,
} from './fetch.ts'

/** What is used of `NextApiResponse`. */
export interface NextApiResponseLike {
  status(code: number): unknown
  setHeader(name: string, value: string): unknown
  send(body: string): unknown
}

/**
 * A handler for the Pages Router's API routes. The file must also say
 * `export const config = { api: { bodyParser: false } }`; without it every delivery ends as "body_already_parsed".
 */
export function createPagesReceiver(
  options: ReceiverOptions,
): (request: NodeRequestLike, response: NextApiResponseLike) => Promise<void> {
  const receive = createReceive(options, verifyWebhook)
  return async (request, response) => {
    const answer =
      request.method === 'POST'
        ? await receive(() => readNodeRequest(request, request, options.maxBodyBytes))
        : methodNotAllowed()
    response.status(answer.status)
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
    response.send(answer.body)
  }
}
