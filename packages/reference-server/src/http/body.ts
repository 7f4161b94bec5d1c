import { badRequest } from './errors.ts'
import type { IncomingMessage } from './message.ts'

/** A JSON object as a client sent it. Own properties only: read it with `Object.hasOwn` or destructure known names. */
export type JsonObject = Readonly<Record<string, unknown>>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a body that has to be a JSON object. Throws `bad_request` for another content type, a missing body, one past
 * `maxBytes`, broken UTF-8 or JSON, and JSON that is no object (ERR-01).
 */
export async function readJsonObject(request: IncomingMessage, maxBytes: number): Promise<JsonObject> {
  refuseOtherThanJson(request)
  return readObject(await request.readBody(maxBytes))
}

/** As `readJsonObject`, where a body may be left out: an empty one is `undefined`, whatever content type it names. */
export async function readOptionalJsonObject(
  request: IncomingMessage,
  maxBytes: number,
): Promise<JsonObject | undefined> {
  const bytes = await request.readBody(maxBytes)
  if (bytes.length === 0) return undefined
  refuseOtherThanJson(request)
  return readObject(bytes)
}

function readObject(bytes: Uint8Array): JsonObject {
  const body = parseJson(bytes)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('The body has to be a JSON object.')
  }
  // Without a prototype, `body.constructor` and the like are what the client sent or nothing.
  return Object.assign(Object.create(null), body) as JsonObject
}

function refuseOtherThanJson(request: IncomingMessage): void {
  const type = request.headers.get('content-type') ?? ''
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  if (media !== 'application/json')
    throw badRequest('The body has to be sent with Content-Type: application/json.')
  for (const parameter of parameters) {
    if (parameter.startsWith('charset=') && !/^charset="?utf-?8"?$/.test(parameter)) {
      throw badRequest('JSON has to be sent in UTF-8.')
    }
  }
  const encoding = request.headers.get('content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw badRequest('The body has to be sent without a Content-Encoding.')
  }
}

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw badRequest('A JSON body is needed here.')
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw badRequest('The body is not valid JSON.')
  }
}
