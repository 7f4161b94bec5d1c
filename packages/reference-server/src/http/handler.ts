import type { AppliedFault } from '@formwire/contract/control'
import type { Context } from '../context.ts'
import { badRequest, ServiceError } from '../domain/service-error.ts'
import { lazy } from '../lazy.ts'
import { elapsedMs } from '../real-timers.ts'
import { type Api, type ApiRequestInfo, isApiPath } from './api.ts'
import { applyAfter, applyBefore } from './faults/apply-fault.ts'
import type { Faults } from './faults/faults.ts'
import { completeResponse, encodeResponse, withoutBody } from './finish-response.ts'
import type { Journal, RequestIds } from './journal.ts'
import { errorResponse, internalErrorResponse, jsonText } from './json-response.ts'
import type { IncomingMessage, OutgoingMessage, ResponseOrPromise } from './message.ts'
import { parseQuery } from './parameters.ts'
import { BodyRecorder } from './receive-body.ts'
import { MALFORMED, type Route, Router, route } from './router.ts'

/** Handles a request of any transport. It never throws, and its promise never rejects. */
export type Handler = (request: IncomingMessage) => ResponseOrPromise

/** Handles the paths below one prefix. Throws `ServiceError` to refuse a request. */
export interface RouteGroup {
  /** Whether a raw path belongs to this group. */
  owns(path: string): boolean
  handle(request: IncomingMessage): ResponseOrPromise
}

export interface HandlerParts {
  readonly context: Context
  readonly api: Api
  /** Tried in this order for paths outside the API. */
  readonly groups: readonly RouteGroup[]
  readonly faults: Faults
  readonly journal: Journal
  readonly requestIds: RequestIds
  /** Receives the cause of a 500, for stderr. */
  readonly report: (cause: unknown) => void
}

/** Creates the handler that all transports share: faults first, then the API or the group that owns the path, else 404. */
export function createHandler(parts: HandlerParts): Handler {
  const { context, groups, faults, report } = parts
  const { settings } = context

  const refuse = (cause: unknown): OutgoingMessage =>
    cause instanceof ServiceError
      ? errorResponse(cause, settings)
      : internalErrorResponse(cause, settings, report)
  const handleApi = createApiHandler(parts, refuse)

  const handleGroup = (request: IncomingMessage): ResponseOrPromise => {
    const group = groups.find((candidate) => candidate.owns(request.path))
    try {
      if (!group) throw new ServiceError('not_found', 'No route matches this path.')
      const response = group.handle(request)
      return response instanceof Promise ? response.catch(refuse) : response
    } catch (cause) {
      return refuse(cause)
    }
  }
  const handleOther = (request: IncomingMessage): ResponseOrPromise => {
    const response = handleGroup(request)
    if (request.method !== 'HEAD') return response
    return response instanceof Promise ? response.then(withoutBody) : withoutBody(response)
  }

  return (request) => {
    const api = isApiPath(request.path)
    if (api && request.method !== 'GET') request.bodyStart = new BodyRecorder()
    const fault = request.path.startsWith('/_app') ? undefined : faults.take(request)
    if (!fault) return api ? handleApi(request) : handleOther(request)
    const startedMs = elapsedMs()
    return applyBefore(fault, request.signal)
      .then((injected) =>
        api ? handleApi(request, { injected, fault, startedMs }) : (injected ?? handleOther(request)),
      )
      .then((response) => applyAfter(fault, response, request.signal))
  }
}

/** A request that a fault is applied to, with the response that the fault gives instead of the API, if it does. */
interface FaultyRequest extends Pick<ApiRequestInfo, 'startedMs'> {
  readonly fault: AppliedFault
  readonly injected: OutgoingMessage | undefined
}

/**
 * Handles, finishes and journals requests of the API. A response that is available synchronously needs no promise and no
 * closure: they would be most of the cost of a read.
 */
function createApiHandler(
  { context, api, journal, requestIds }: HandlerParts,
  refuse: (cause: unknown) => OutgoingMessage,
): (request: IncomingMessage, faulty?: FaultyRequest) => ResponseOrPromise {
  const { settings, clock } = context

  const conclude = (
    response: OutgoingMessage,
    request: IncomingMessage,
    info: ApiRequestInfo,
  ): OutgoingMessage => {
    completeResponse(response, info.requestNumber, requestIds, settings)
    journal.add(request, info, response)
    return encodeResponse(response, request, settings)
  }
  return (request, faulty) => {
    const info: ApiRequestInfo = {
      requestNumber: requestIds.next(),
      receivedAt: clock.now(),
      key: undefined,
      startedMs: faulty?.startedMs ?? elapsedMs(),
      fault: faulty?.fault,
    }
    try {
      const response = faulty?.injected ?? api.handle(request, info)
      if (!(response instanceof Promise)) return conclude(response, request, info)
      return response.catch(refuse).then((ready) => conclude(ready, request, info))
    } catch (cause) {
      return conclude(refuse(cause), request, info)
    }
  }
}

/**
 * Creates a group of public routes below one prefix. The routes are loaded on the first request, so that a server used
 * only for its API starts without them.
 */
export function createRouteGroup(prefix: string, load: () => Promise<readonly Route[]>): RouteGroup {
  const router = lazy(async () => new Router(await load()))
  return {
    owns: (path) => path === prefix || path.startsWith(`${prefix}/`),
    async handle(request) {
      const match = (await router()).match(request.method, request.path)
      if (match === MALFORMED) throw badRequest('The path contains invalid percent-encoding.')
      if (!match) throw new ServiceError('not_found', 'No route matches this path.')
      return match.route.run({ request, params: match.params, query: parseQuery(request.query) })
    },
  }
}

/** `GET /openapi.json`: the OpenAPI document, served without a key. */
export const openApiGroup = createRouteGroup('/openapi.json', async () => [
  route('GET', '/openapi.json', async () => jsonText(200, await openApiText())),
])

/** Loaded on the first request. */
const openApiText = lazy(async () => {
  const { default: document } = await import('@formwire/contract/openapi.json', { with: { type: 'json' } })
  return JSON.stringify(document)
})
