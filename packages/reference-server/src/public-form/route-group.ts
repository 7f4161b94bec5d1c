import type { Context } from '../context.ts'
import type { RouteGroup } from '../http/handler.ts'
import { createRouteGroup } from '../http/route-group.ts'

/** Everything below `/f`. No key is required. */
export const publicFormGroup = (context: Context): RouteGroup =>
  createRouteGroup('/f', async () => (await import('./routes.ts')).publicFormRoutes(context))
