import { exceededLimit, isObject } from '@formwire/internal/json'
import { BodyTooLargeError, badRequest, ServiceError } from '../domain/service-error.ts'
import type { ByteBudget } from '../policy/byte-budget.ts'
import { JSON_DEPTH_MAX, JSON_VALUES_MAX } from '../resource-limits.ts'
import { DEFAULT_UNSPECIFIED, type Unspecified } from '../unspecified.ts'
import type { IncomingMessage, ReserveBytes } from './message.ts'
import { tooMany } from './stages/authenticate.ts'

/** A JSON object sent by a client. It has no prototype: read it with `Object.hasOwn` or destructure known names. */
export type JsonObject = Readonly<Record<string, unknown>>

/** How a deployment reports bodies that it rejects (ERR-01). */
type BodyErrors = Pick<Unspecified, 'bodyNotAnObject' | 'wrongContentType' | 'bodyTooLarge'>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a body that must be a JSON object. Throws `bad_request` for another content type, a missing body, one larger
 * than `maxBytes`, invalid UTF-8 or JSON, and JSON other than an object (ERR-01). The API passes its deployment's
 * variants of these errors in `errors`.
 */
export async function readJsonObject(
  request: IncomingMessage,
  maxBytes: number,
  errors: BodyErrors = DEFAULT_UNSPECIFIED,
  reserve?: ReserveBytes,
): Promise<JsonObject> {
  requireJson(request, errors)
  const bytes = await request.readBody(maxBytes, reserve).catch((cause: unknown) => {
    const isTooLarge = errors.bodyTooLarge === '413' && cause instanceof BodyTooLargeError
    throw isTooLarge ? new BodyTooLargeError(maxBytes, 413) : cause
  })
  return readObject(bytes, errors)
}

/** Like `readJsonObject`, for an optional body: returns `undefined` for an empty one, whatever its content type. */
export async function readOptionalJsonObject(
  request: IncomingMessage,
  maxBytes: number,
  reserve?: ReserveBytes,
): Promise<JsonObject | undefined> {
  const bytes = await request.readBody(maxBytes, reserve)
  if (bytes.length === 0) return undefined
  requireJson(request, DEFAULT_UNSPECIFIED)
  return readObject(bytes, DEFAULT_UNSPECIFIED)
}

function readObject(bytes: Uint8Array, { bodyNotAnObject }: BodyErrors): JsonObject {
  const body = parseJson(bytes)
  if (!isObject(body)) {
    const code = bodyNotAnObject === '422' ? 'validation_failed' : 'bad_request'
    throw new ServiceError(code, 'The body must be a JSON object.')
  }
  // Without a prototype, `body.constructor` and the like can only come from the client.
  return Object.setPrototypeOf(body, null) as JsonObject
}

function requireJson(request: IncomingMessage, { wrongContentType }: BodyErrors): void {
  const problem = wrongContentType === 'ignored' ? undefined : contentTypeProblem(request)
  if (problem) {
    const status = wrongContentType === '415' ? 415 : 400
    throw new ServiceError('bad_request', problem, undefined, {}, status)
  }
  const encoding = request.headers.get('content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw badRequest('The body must be sent without a Content-Encoding.')
}

function contentTypeProblem(request: IncomingMessage): string | undefined {
  const type = request.headers.get('content-type') ?? ''
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  if (media !== 'application/json') return 'The Content-Type of the body must be application/json.'
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) return 'JSON must be encoded as UTF-8.'
  return undefined
}

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw badRequest('A JSON body is required.')
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw notJson()
  }
  const exceeded = exceededLimit(text, { depth: JSON_DEPTH_MAX, values: JSON_VALUES_MAX })
  if (exceeded === 'depth') throw badRequest(`The body is nested more than ${JSON_DEPTH_MAX} levels deep.`)
  if (exceeded === 'values') throw badRequest(`The body has more than ${JSON_VALUES_MAX} values.`)
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}

const notJson = (): ServiceError => badRequest('The body is not valid JSON.')

/**
 * Reads a body whose bytes count against the budget until `read` has settled, parsing included. Throws 429 when the
 * bodies being received exceed the budget, or those of this address their share.
 */
export async function receiveWithin<Body>(
  budget: ByteBudget,
  address: string,
  read: (reserve: ReserveBytes) => Promise<Body>,
): Promise<Body> {
  const counted = budget.open(address)
  try {
    return await read((bytes) => {
      if (!counted.reserve(bytes)) throw tooMany('Too many request bodies are being received.')
    })
  } finally {
    counted.release()
  }
}
