import type { PageMeta } from '@formwire/contract'
import { isObjectOrArray, isUtf16 } from '@formwire/internal/json'
import { DecodeError, ResponseTooLargeError } from '../errors/client-errors.ts'
import type { RequestFacts } from '../errors/formwire-error.ts'
import { excessOf, parseJson } from '../json.ts'
import type { TransportResponse } from './transport.ts'

/** Expected data: one object, a paginated list, a list whose `meta` is optional, one object or an empty body (`204`), or any of them. */
export type Shape = 'item' | 'list' | 'short-list' | 'item-or-empty' | 'any'

/** Parsed envelope of a successful response. `data` is `undefined` for an empty body. */
export interface Envelope {
  data: unknown
  meta?: PageMeta
}

/** Parses the body of a successful response and keeps unknown fields (ENV-04). @throws DecodeError if it is not the documented envelope. @throws ResponseTooLargeError */
export function decode(
  response: TransportResponse,
  shape: Shape,
  request: RequestFacts,
  redact: <Value>(value: Value) => Value,
): Envelope {
  const { status, headers, body } = response
  const contentType = headers.get('content-type') ?? undefined
  const fail = (text: string): DecodeError => {
    const problem = redact(text)
    return new DecodeError(`${request.method} ${request.path} returned ${status}, but ${problem}.`, {
      ...request,
      status,
      // Without advice.
      problem: problem.split(';')[0],
      ...redact({ contentType, requestId: headers.get('x-request-id') ?? undefined }),
    })
  }

  if (body === '') {
    if (shape === 'item-or-empty' || shape === 'any') return { data: undefined }
    throw fail('the body is empty')
  }
  if (contentType !== undefined && !/[/+]json\b/i.test(contentType)) {
    throw fail(`the body is ${contentType}, not JSON; check baseUrl and proxies`)
  }
  const parsed = parseJson(body)
  if (parsed === undefined) {
    const excess = excessOf(body)
    if (excess === 'values') throw new ResponseTooLargeError(request)
    const problem = excess
      ? 'exceeds 1,000 levels'
      : isUtf16(body)
        ? 'is UTF-16, not UTF-8'
        : 'is invalid or truncated JSON'
    throw fail(`the body (${body.length} characters) ${problem}`)
  }
  if (!isObjectOrArray(parsed) || !('data' in parsed)) throw fail('the body has no "data"')
  const { data } = parsed
  if (shape === 'any') return parsed as Envelope
  const list = shape.endsWith('list')
  if (!isObjectOrArray(data) || Array.isArray(data) !== list) {
    throw fail(`"data" is not ${list ? 'a list' : 'an object'}`)
  }
  const { user, workspace, key } = data as Record<string, unknown>
  if ((list ? (data as unknown[]) : [data, user, workspace, key]).some(hasInexactId)) {
    throw fail('an id in "data" exceeds 2^53 - 1')
  }
  if (list && !isMeta((parsed as Envelope).meta, shape)) throw fail('"meta" is missing or invalid')
  return parsed as Envelope
}

/** Whether the JSON number of an id was rounded: a later request would address another object. */
function hasInexactId(entity: unknown): boolean {
  const id = (entity as { id?: unknown } | null | undefined)?.id
  return typeof id === 'number' && id > Number.MAX_SAFE_INTEGER
}

function isMeta(meta: PageMeta | undefined, shape: Shape): boolean {
  if (!meta) return shape === 'short-list'
  const { page, per_page, total } = meta
  return [page, per_page, total].every(Number.isInteger) && page > 0 && per_page > 0
}
