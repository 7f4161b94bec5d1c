import { isObjectOrArray } from '@formwire/internal/json'
import { checkNames } from './check-arguments.ts'
import { OutcomeUnknownError, UsageError } from './errors/client-errors.ts'
import type { ApiPromise } from './http/api-promise.ts'
import type { Method } from './http/retry-policy.ts'
import type { RequestOptions } from './options.ts'
import type { Requester } from './requester.ts'

/** A request for which the client has no method. */
export interface CustomRequest {
  /** HTTP method, in capitals. A POST is retried only if the service certainly did not process it. @default 'GET' */
  method?: Method | undefined
  /** Path below `/api/v1`, without a query. Encode ids with `encodeURIComponent`. @example '/forms/guestvoice01/tags' */
  path: string
  /** Query parameters. A Date becomes ISO 8601 in UTC; `undefined` is omitted. */
  query?: Record<string, string | number | boolean | Date | undefined> | undefined
  /** JSON body of a POST, PUT, PATCH or DELETE. */
  body?: object | undefined
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[]

/** Sends a custom request; see `Formwire.request`. */
export function customRequest<Data>(
  requester: Requester,
  request: CustomRequest,
  options: RequestOptions | undefined,
): ApiPromise<Data> {
  checkNames('request()', request, ['method', 'path', 'query', 'body'])
  const { method = 'GET', path, query, body } = request
  if (!METHODS.includes(method)) {
    throw new UsageError(`"method" must be one of ${METHODS.join(', ')}, got ${JSON.stringify(method)}.`)
  }
  checkPath(path)
  checkQuery(query)
  if (body !== undefined && (!isObjectOrArray(body) || method === 'GET')) {
    throw new UsageError('"body" must be an object or an array, and a GET has none.')
  }
  return requester.any<Data>({ method, path, query, body }, options, (cause) => {
    const { path: fullPath, attempts } = cause
    const message = `${method} ${fullPath} lost its response (${cause.name}). Check whether it took effect before you repeat it.`
    return new OutcomeUnknownError(message, { method, path: fullPath, attempts }, { cause })
  })
}

/** @throws UsageError unless the URL of the request stays below `/api/v1`. */
function checkPath(path: unknown): void {
  const steps = typeof path === 'string' ? path.slice(1).split('/') : []
  // Dot segments may be percent-encoded. Backslashes separate segments in http URLs.
  const isSafe =
    /^\/[\x21-\x7e]+$/.test(String(path)) &&
    !/[?#\\]|^\/api\/v1\b/.test(String(path)) &&
    steps.every((step) => !/^(?:\.|%2e){0,2}$/i.test(step))
  if (!isSafe) {
    throw new UsageError(
      `"path" must be a path below /api/v1, such as "/forms", in ASCII and without a query, empty or dot segments, got ${JSON.stringify(path)}.`,
    )
  }
}

/** @throws UsageError */
function checkQuery(query: unknown): void {
  if (query === undefined) return
  if (!isObjectOrArray(query))
    throw new UsageError(`"query" must be an object, got ${query === null ? null : typeof query}.`)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value instanceof Date) continue
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      const type = value === null ? null : typeof value
      throw new UsageError(`"${name}" must be a text, a number, a boolean or a Date, got ${type}.`)
    }
  }
}
