import { API_ROOT } from '@formwire/contract'
import type { AppliedFault } from '@formwire/contract/control'
import type { Context } from '../context.ts'
import type { ApiKey } from '../domain/key.ts'
import { badRequest, ServiceError } from '../domain/service-error.ts'
import { RateLimiter } from '../policy/rate-limit.ts'
import { isPreflight, preflightResponse } from './cors.ts'
import type { IncomingMessage, ResponseOrPromise } from './message.ts'
import type { ApiRoute } from './operations.ts'
import { parseQuery } from './parameters.ts'
import { MALFORMED, Router } from './router.ts'
import { authenticate, authorize, tooMany } from './stages/authenticate.ts'

/** Facts about one API request that are not part of the request itself. */
export interface ApiRequestInfo {
  /** From `RequestIds`. */
  readonly requestNumber: number
  readonly receivedAt: number
  /** The key that sent the request; `undefined` until it is authenticated. */
  key: ApiKey | undefined
  /** By `elapsedMs`. */
  readonly startedMs: number
  /** The injected fault that is applied to the request, if any. */
  readonly fault: AppliedFault | undefined
}

/** Handles everything under `/api/v1`. */
export type Api = ReturnType<typeof createApi>

/** Whether a raw path belongs to the API (VER-01). */
export const isApiPath = (path: string): boolean => path === API_ROOT || path.startsWith(`${API_ROOT}/`)

/** Runs the stages of an API request in the order of AUTH-13. */
export function createApi(context: Context, routes: readonly ApiRoute[]) {
  const { limits, unspecified } = context.settings
  const router = new Router(routes)
  const failures = new RateLimiter<string>(limits.failedAuthPerMinute, unspecified)
  const requests = new RateLimiter<number>(limits.requestsPerMinute, unspecified)

  return {
    /** Throws a `ServiceError`, or rejects with one, to refuse a request. Sets `info.key`. */
    handle(request: IncomingMessage, info: ApiRequestInfo): ResponseOrPromise {
      if (unspecified.cors === 'any' && isPreflight(request)) return preflightResponse(request)
      const caller = authenticate(context, failures, request, info.receivedAt)
      info.key = caller.key
      if (!requests.take(caller.key.id, info.receivedAt)) throw tooMany('Too many requests with this key.')
      const match = router.match(request.method, request.path)
      if (match === MALFORMED) throw badRequest('The path contains invalid percent-encoding.')
      const query = parseQuery(request.query)
      if (!match) throw noSuchEndpoint(request, unspecified.wrongMethod === '405' ? router : undefined)
      // HEAD uses the route of GET (AUTH-03).
      authorize(context.settings, caller, match.route.method === 'GET' ? 'read' : 'write')
      return match.route.run({ request, params: match.params, query, caller })
    },
    /** Resets the rate limits. */
    forgetLimits(): void {
      failures.clear()
      requests.clear()
    },
  }
}

/** 404, or 405 with the allowed methods when the path exists (ERR-02). */
function noSuchEndpoint(
  { method, path }: IncomingMessage,
  router: Router<ApiRoute> | undefined,
): ServiceError {
  const methods = router?.methodsOf(path) ?? []
  if (methods.length === 0) return new ServiceError('not_found', 'No endpoint matches this path and method.')
  const allow = methods.join(', ')
  return new ServiceError(
    'not_found',
    `${method} is not supported by this endpoint; use one of ${allow}.`,
    undefined,
    { allow },
    405,
  )
}
