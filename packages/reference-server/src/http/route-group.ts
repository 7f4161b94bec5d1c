import { badRequest, ServiceError } from '../domain/service-error.ts'
import { lazy } from '../lazy.ts'
import type { RouteGroup } from './handler.ts'
import { jsonText } from './json-response.ts'
import { parseQuery } from './parameters.ts'
import { MALFORMED, type Route, Router, route } from './router.ts'

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
