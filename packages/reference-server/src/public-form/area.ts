import type { Context } from '../context.ts'
import { openArea } from '../http/area.ts'
import type { Area } from '../http/handler.ts'

/** Everything below `/f`: anybody may ask, no key is read. */
export const publicFormArea = (context: Context): Area =>
  openArea('/f', async () => (await import('./routes.ts')).publicFormRoutes(context))
