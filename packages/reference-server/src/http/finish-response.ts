import { pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { withExtraFields } from '../domain/extra-fields.ts'
import type { Settings } from '../settings.ts'
import { CORS_HEADERS } from './cors.ts'
import type { RequestIds } from './journal.ts'
import type { IncomingMessage, OutgoingMessage } from './message.ts'

/** Adds the configured deviations to a response of the API (`extraFields`, `requestIdHeader`, `cors`). */
export function completeResponse(
  response: OutgoingMessage,
  requestNumber: number,
  requestIds: RequestIds,
  settings: Settings,
): void {
  const { extraFields, requestIdHeader, cors } = settings.unspecified
  if (cors === 'any') Object.assign(response.headers, CORS_HEADERS)
  if (requestIdHeader === 'true') response.headers['x-request-id'] = requestIds.textOf(requestNumber)
  if (extraFields === 'true' && isJson(response)) {
    response.body = JSON.stringify(withExtraFields(JSON.parse(response.body)))
    response.byteLength = undefined
    response.start = undefined
  }
}

/** The last stage of an API request: compresses the body if that is configured (`compression`), and removes it for HEAD. */
export function encodeResponse(
  response: OutgoingMessage,
  request: IncomingMessage,
  { unspecified: { compression } }: Settings,
): OutgoingMessage {
  if (compression === 'gzip') compress(response, request)
  return request.method === 'HEAD' ? withoutBody(response) : response
}

/** Removes the body for HEAD; `Content-Length` stays that of the GET response. */
export function withoutBody(response: OutgoingMessage): OutgoingMessage {
  if (typeof response.body === 'string' || response.body instanceof Uint8Array)
    response.headers['content-length'] = String(Buffer.byteLength(response.body))
  response.body = null
  return response
}

function isJson(response: OutgoingMessage): response is OutgoingMessage & { body: string } {
  return typeof response.body === 'string' && response.headers['content-type'] === 'application/json'
}

/** Loaded on first use, not at every start. */
const zlib = () => process.getBuiltinModule('node:zlib')

function compress(response: OutgoingMessage, request: IncomingMessage): void {
  if (typeof response.body !== 'string' || !acceptsGzip(request.headers.get('accept-encoding'))) return
  response.body = zlib().gzipSync(response.body)
  response.headers['content-encoding'] = 'gzip'
  response.headers.vary = 'Accept-Encoding'
}

/** Shorter bodies hardly get smaller. */
const COMPRESSED_FROM = 1_024

/** Compresses JSON for a client that accepts it, off the main thread. What is streamed stays streamed. */
export async function compressJson(
  response: OutgoingMessage,
  request: IncomingMessage,
): Promise<OutgoingMessage> {
  const { headers, body } = response
  if (headers['content-type'] !== 'application/json' || body === null) return response
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  if (isWhole && body.length < COMPRESSED_FROM) return response
  headers.vary = 'Accept-Encoding'
  if (!acceptsGzip(request.headers.get('accept-encoding'))) return response
  headers['content-encoding'] = 'gzip'
  response.byteLength = undefined
  response.body = isWhole ? await promisify(zlib().gzip)(body) : gzipped(body)
  return response
}

/** Reads nothing before it is read, as for HEAD. */
async function* gzipped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // An error also ends the iteration.
  yield* pipeline(body, zlib().createGzip(), () => undefined)
}

/** Whether `Accept-Encoding` accepts gzip, by name or else by `*`. A weight of 0 excludes a coding. */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map<string, boolean>()
  for (const part of (header ?? '').split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    weights.set(coding, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
  }
  return weights.get('gzip') ?? weights.get('*') ?? false
}
