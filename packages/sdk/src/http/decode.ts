import type { PageMeta } from '@formwire/contract'
import { DecodeError } from '../errors/decode-error.ts'
import type { RequestFacts } from '../errors/formwire-error.ts'
import type { TransportResponse } from './transport.ts'

/** What a success has to carry: one object, a list by pages, a list that may do without `meta`, or nothing at all (`204`). */
export type Shape = 'item' | 'list' | 'short-list' | 'item-or-empty'

/** The parsed envelope of a success; `data` is `undefined` for an empty one. */
export interface Envelope {
  data: unknown
  meta?: PageMeta
}

/** The body of a success status. @throws DecodeError on anything but the documented envelope; unknown fields are kept (ENV-04). */
export function decode(
  response: TransportResponse,
  shape: Shape,
  request: RequestFacts,
  redact: <Value>(value: Value) => Value,
): Envelope {
  const { status, headers, body } = response
  const contentType = headers.get('content-type') ?? undefined
  const fail = (problem: string): DecodeError =>
    new DecodeError(`${request.method} ${request.path} answered ${status}, but ${redact(problem)}.`, {
      ...request,
      status,
      ...redact({ contentType, requestId: headers.get('x-request-id') ?? undefined }),
    })

  if (body === '') {
    if (shape === 'item-or-empty') return { data: undefined }
    throw fail('its body is empty')
  }
  if (contentType !== undefined && !/[/+]json\b/i.test(contentType)) {
    throw fail(`its body is ${contentType}, not JSON: check baseUrl and proxies`)
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    // The SyntaxError quotes the body, so it is not kept as the cause.
    throw fail(`its body of ${body.length} characters is not valid JSON: it may be cut short`)
  }
  if (typeof parsed !== 'object' || parsed === null || !('data' in parsed))
    throw fail('its body has no "data"')
  const { data } = parsed
  const list = shape.endsWith('list')
  if (typeof data !== 'object' || data === null || Array.isArray(data) !== list) {
    throw fail(`its "data" is not ${list ? 'a list' : 'an object'}`)
  }
  if (list && !isMeta((parsed as Envelope).meta, shape)) throw fail('its "meta" is not readable')
  return parsed as Envelope
}

function isMeta(meta: PageMeta | undefined, shape: Shape): boolean {
  if (!meta) return shape === 'short-list'
  const { page, per_page, total } = meta
  return [page, per_page, total].every(Number.isInteger) && page > 0 && per_page > 0
}
