import type { App } from '../../app.ts'
import { consoleRoutes } from '../../console/routes.ts'
import type { Context } from '../../context.ts'
import { item } from '../../http/responses.ts'
import { VERSION } from '../../version.ts'
import type { ControlRoutes } from '../control-api.ts'
import { clockControlRoutes } from './clock.ts'
import { deliveryControlRoutes } from './deliveries.ts'
import { formControlRoutes } from './forms.ts'
import { peopleRoutes } from './people.ts'
import { testingRoutes } from './testing.ts'
import { webhookControlRoutes } from './webhooks.ts'

/** The routes of the control API. */
export const controlRoutes = (app: App, context: Context): ControlRoutes => ({
  routes: [
    ...peopleRoutes(app),
    ...formControlRoutes(app),
    ...webhookControlRoutes(app.webhooks, app.deliveries),
    ...deliveryControlRoutes(app.deliveries),
    ...clockControlRoutes(context),
    ...testingRoutes(app),
  ],
  openRoutes: [
    { method: 'GET', pattern: '/_app/health', run: () => item({ status: 'ok', version: VERSION }) },
    ...consoleRoutes,
  ],
})
