import { ServiceError } from '../domain/service-error.ts'
import type { RouteGroup } from '../http/handler.ts'
import { redirectToConsole } from './landing.ts'

/** `/`: redirects browsers to the console. To other clients it is an unknown path. */
export const landingGroup: RouteGroup = {
  owns: (path) => path === '/',
  handle(request) {
    const redirect = redirectToConsole(request)
    if (!redirect) throw new ServiceError('not_found', 'No route matches this path.')
    return redirect
  },
}
