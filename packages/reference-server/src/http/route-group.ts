import { badRequest, ServiceError } from '../domain/service-error.ts'
import { lazy } from '../lazy.ts'
import type { RouteGroup } from './handler.ts'
import { parseQuery } from './parameters.ts'
import { MALFORMED, type Route, Router } from './router.ts'

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
