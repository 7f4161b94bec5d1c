import { createHash, timingSafeEqual } from 'node:crypto'
import { redirectToConsole } from '../console/landing.ts'
import { badRequest, ServiceError } from '../domain/service-error.ts'
import { compressJson } from '../http/finish-response.ts'
import type { RouteGroup } from '../http/handler.ts'
import type { IncomingMessage } from '../http/message.ts'
import { parseQuery, refuseOthers } from '../http/parameters.ts'
import { MALFORMED, type Route, Router } from '../http/router.ts'
import { bearerToken, unauthorized } from '../http/stages/authenticate.ts'
import { lazy } from '../lazy.ts'
import { refuseForeignPages } from './browser-guard.ts'

export interface ControlApiOptions {
  /** The only credential of the control API. */
  readonly adminToken: string
  /** Allowed host names in addition to loopback, in lowercase. */
  readonly allowedHosts: ReadonlySet<string>
  /** Loads the routes on the first request, so that a server used only for its API starts without them. */
  readonly load: () => Promise<ControlRoutes>
}

export interface ControlRoutes {
  /** Routes that require the admin token. */
  readonly routes: readonly Route[]
  /** Routes without a token: health, and the console's static files. */
  readonly openRoutes: readonly Route[]
}

/** Creates the control API, `/_app`: what people do in the web app. API keys grant no access to it. */
export function createControlApi({ adminToken, allowedHosts, load }: ControlApiOptions): RouteGroup {
  const routers = lazy(async () => {
    const { routes, openRoutes } = await load()
    return { router: new Router(routes), openRouter: new Router(openRoutes) }
  })
  const expected = digest(adminToken)
  const isAdmin = (request: IncomingMessage): boolean =>
    timingSafeEqual(digest(bearerToken(request) ?? ''), expected)

  return {
    owns: (path) => path === '/_app' || path.startsWith('/_app/'),
    async handle(request) {
      refuseForeignPages(request, allowedHosts)
      const redirect = redirectToConsole(request)
      if (redirect) return redirect
      const { router, openRouter } = await routers()
      const open = openRouter.match(request.method, request.path)
      if (open && open !== MALFORMED)
        return open.route.run({ request, params: open.params, query: parseQuery(request.query) })
      if (!isAdmin(request))
        throw unauthorized('The admin token is missing or wrong; send it as Authorization: Bearer <token>.')
      const match = router.match(request.method, request.path)
      if (match === MALFORMED) throw badRequest('The path contains invalid percent-encoding.')
      const query = parseQuery(request.query)
      if (!match) throw new ServiceError('not_found', 'No route matches this path and method.')
      // So that a misspelt filter does not return everything.
      refuseOthers(query.keys(), match.route.parameters ?? [])
      return compressJson(await match.route.run({ request, params: match.params, query }), request)
    },
  }
}

/** Hashes a token, since the constant-time comparison requires equal lengths. */
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()
