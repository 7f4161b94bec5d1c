import { loadLate } from '../load-late.ts'
import { badRequest, ServiceError } from './errors.ts'
import type { Area } from './handler.ts'
import { parseQuery } from './query.ts'
import type { Route } from './route.ts'
import { Router, UNREADABLE } from './router.ts'

/**
 * An area that anybody may ask: a table of routes below one prefix. Its routes are loaded with the first request: a
 * server that is asked for its API alone starts without them.
 */
export function openArea(prefix: string, load: () => Promise<readonly Route[]>): Area {
  const router = loadLate(async () => new Router(await load()))
  return {
    owns: (path) => path === prefix || path.startsWith(`${prefix}/`),
    async answer(request) {
      const match = (await router()).match(request.method, request.path)
      if (match === UNREADABLE) throw badRequest('The path has a broken percent-encoding.')
      if (!match) throw new ServiceError('not_found', 'There is nothing at this address.')
      return match.route.run({ request, params: match.params, query: parseQuery(request.query) })
    },
  }
}
