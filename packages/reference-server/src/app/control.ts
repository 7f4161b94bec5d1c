import { createHash, timingSafeEqual } from 'node:crypto'
import { badRequest, ServiceError } from '../http/errors.ts'
import type { Area } from '../http/handler.ts'
import type { IncomingMessage } from '../http/message.ts'
import { parseQuery } from '../http/query.ts'
import type { Route } from '../http/route.ts'
import { Router, UNREADABLE } from '../http/router.ts'
import { bearerToken, unauthorized } from '../http/stages/authenticate.ts'
import { loadLate } from '../load-late.ts'
import { refuseForeignPages } from './browser-guard.ts'

export interface ControlOptions {
  /** The only credential of this side. */
  readonly adminToken: string
  /** Host names beside loopback that clients may use, in lower case. */
  readonly allowedHosts: ReadonlySet<string>
  /** Called for the first request: a server that is asked for its API alone starts without these routes. */
  readonly load: () => Promise<ControlRoutes>
}

export interface ControlRoutes {
  /** Rows that need the token. */
  readonly routes: readonly Route[]
  /** Rows that anybody may ask for: health, and the console's shell. */
  readonly openRoutes: readonly Route[]
}

/** The control side, `/_app`: what people do in the web app. Never reachable with an API key. */
export function createControl({ adminToken, allowedHosts, load }: ControlOptions): Area {
  const routers = loadLate(async () => {
    const { routes, openRoutes } = await load()
    return { router: new Router(routes), openRouter: new Router(openRoutes) }
  })
  const expected = digest(adminToken)
  const isAdmin = (request: IncomingMessage): boolean =>
    timingSafeEqual(digest(bearerToken(request) ?? ''), expected)

  return {
    owns: (path) => path === '/_app' || path.startsWith('/_app/'),
    async answer(request) {
      refuseForeignPages(request, allowedHosts)
      const { router, openRouter } = await routers()
      const open = openRouter.match(request.method, request.path)
      if (open && open !== UNREADABLE) {
        return open.route.run({ request, params: open.params, query: parseQuery(request.query) })
      }
      if (!isAdmin(request)) throw unauthorized('This needs the admin token: Authorization: Bearer <token>.')
      const match = router.match(request.method, request.path)
      if (match === UNREADABLE) throw badRequest('The path has a broken percent-encoding.')
      const query = parseQuery(request.query)
      if (!match) throw new ServiceError('not_found', 'There is no such route.')
      return match.route.run({ request, params: match.params, query })
    },
  }
}

/** Equal lengths for the constant-time comparison. */
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()
