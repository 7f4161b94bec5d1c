import type { Settings } from '../settings.ts'
import { acceptsGzip } from './accepts-gzip.ts'
import { withExtraFields } from './extra-fields.ts'
import type { IncomingMessage, OutgoingMessage } from './message.ts'
import type { RequestIds } from './request-ids.ts'

/**
 * The last stage of an API answer: the deviations that the server is told to show (`extraFields`, `compression`,
 * `requestIdHeader`), and no body for HEAD.
 */
export function finish(
  answer: OutgoingMessage,
  request: IncomingMessage,
  requestNumber: number,
  requestIds: RequestIds,
  settings: Settings,
): OutgoingMessage {
  const { extraFields, compression, requestIdHeader } = settings.unspecified
  if (requestIdHeader === 'true') answer.headers['x-request-id'] = requestIds.textOf(requestNumber)
  if (extraFields === 'true' && isJson(answer)) {
    answer.body = JSON.stringify(withExtraFields(JSON.parse(answer.body)))
    answer.byteLength = undefined
  }
  if (compression === 'gzip') compress(answer, request)
  return request.method === 'HEAD' ? withoutBody(answer) : answer
}

/** HEAD answers as GET does, with the length of the body that it does not send. */
export function withoutBody(answer: OutgoingMessage): OutgoingMessage {
  if (typeof answer.body === 'string' || answer.body instanceof Uint8Array) {
    answer.headers['content-length'] = String(Buffer.byteLength(answer.body))
  }
  answer.body = null
  return answer
}

function isJson(answer: OutgoingMessage): answer is OutgoingMessage & { body: string } {
  return typeof answer.body === 'string' && answer.headers['content-type'] === 'application/json'
}

function compress(answer: OutgoingMessage, request: IncomingMessage): void {
  if (typeof answer.body !== 'string' || !acceptsGzip(request.headers.get('accept-encoding'))) return
  // Loaded for the first answer that needs it, not at every start.
  answer.body = process.getBuiltinModule('node:zlib').gzipSync(answer.body)
  answer.headers['content-encoding'] = 'gzip'
  answer.headers.vary = 'Accept-Encoding'
}
