import { API_ROOT } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { ApiKey } from '../domain/key.ts'
import { RateLimiter } from '../policy/rate-limit.ts'
import { accessOf } from '../policy/scope.ts'
import { badRequest, ServiceError } from './errors.ts'
import type { IncomingMessage, OutgoingMessage } from './message.ts'
import type { ApiRoute } from './operations/call.ts'
import { parseQuery } from './query.ts'
import { Router, UNREADABLE } from './router.ts'
import { authenticate, tooMany } from './stages/authenticate.ts'
import { authorize } from './stages/authorize.ts'

/** What is known of one request of the API besides what it says itself. */
export interface ApiVisit {
  /** Counted by `RequestIds`. */
  readonly requestNumber: number
  readonly receivedAt: number
  /** Whose request it is, once that is known. */
  key: ApiKey | undefined
}

/** Everything under `/api/v1`. */
export interface Api {
  /** Throws `ServiceError`, at once or in its promise, for what is refused. Notes in `visit` which key it was. */
  answer(request: IncomingMessage, visit: ApiVisit): OutgoingMessage | Promise<OutgoingMessage>
  /** Forgets who has asked how often. */
  forgetLimits(): void
}

/** Whether a raw path belongs to the API (VER-01). */
export const isApiPath = (path: string): boolean => path === API_ROOT || path.startsWith(`${API_ROOT}/`)

/** The stages of an API request in their order, AUTH-13. */
export function createApi(context: Context, routes: readonly ApiRoute[]): Api {
  const { limits, unspecified } = context.settings
  const router = new Router(routes)
  const failures = new RateLimiter<string>(limits.failedAuthPerMinute, unspecified.rateWindow)
  const requests = new RateLimiter<number>(limits.requestsPerMinute, unspecified.rateWindow)

  return {
    answer(request, visit) {
      const caller = authenticate(context, failures, request, visit.receivedAt)
      visit.key = caller.key
      if (!requests.take(caller.key.id, visit.receivedAt)) throw tooMany('Too many requests with this key.')
      const match = router.match(request.method, request.path)
      if (match === UNREADABLE) throw badRequest('The path has a broken percent-encoding.')
      const query = parseQuery(request.query)
      if (!match) throw new ServiceError('not_found', 'There is no such endpoint.')
      authorize(context.settings, caller, accessOf(match.route.method))
      return match.route.run({ request, params: match.params, query, caller })
    },
    forgetLimits() {
      failures.clear()
      requests.clear()
    },
  }
}
