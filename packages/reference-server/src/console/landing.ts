import { ServiceError } from '../domain/service-error.ts'
import type { RouteGroup } from '../http/handler.ts'
import type { IncomingMessage, OutgoingMessage } from '../http/message.ts'
import { preferred } from '../public-form/form-body.ts'

/** Paths at which people look for the console, and where it is relative to each. */
const LANDINGS: ReadonlyMap<string, string> = new Map([
  ['/', '_app/console'],
  ['/_app', '_app/console'],
  ['/_app/', 'console'],
  ['/_app/console/', '../console'],
])

/**
 * Redirects a browser that opens `/`, `/_app` or `/_app/console/` to the console. Returns `undefined` for any other path, and
 * for a client that does not prefer `text/html`, which gets the JSON error of the path. The `Location` is relative, so that it
 * also holds behind a proxy with a path prefix.
 */
export function redirectToConsole(request: IncomingMessage): OutgoingMessage | undefined {
  const location = LANDINGS.get(request.path)
  if (location === undefined) return undefined
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  if (preferred(request) !== 'page') return undefined
  return {
    status: 302,
    headers: { location, vary: 'accept', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    body: null,
  }
}

/** `/`: redirects browsers to the console. To other clients it is an unknown path. */
export const landingGroup: RouteGroup = {
  owns: (path) => path === '/',
  handle(request) {
    const redirect = redirectToConsole(request)
    if (!redirect) throw new ServiceError('not_found', 'No route matches this path.')
    return redirect
  },
}
