import { consoleRoutes } from '../../console/routes.ts'
import type { Context } from '../../context.ts'
import { item } from '../../http/answers.ts'
import { VERSION } from '../../version.ts'
import type { ControlRoutes } from '../control.ts'
import type { App } from '../index.ts'
import { clockControlRoutes } from './clock.ts'
import { deliveryControlRoutes } from './deliveries.ts'
import { formControlRoutes } from './forms.ts'
import { instrumentRoutes } from './instruments.ts'
import { peopleRoutes } from './people.ts'
import { webhookControlRoutes } from './webhooks.ts'

/** The tables of routes of the control side. */
export const controlRoutes = (app: App, context: Context): ControlRoutes => ({
  routes: [
    ...peopleRoutes(app),
    ...formControlRoutes(app),
    ...webhookControlRoutes(app.webhooks, app.deliveries),
    ...deliveryControlRoutes(app.deliveries),
    ...clockControlRoutes(context),
    ...instrumentRoutes(app),
  ],
  openRoutes: [
    { method: 'GET', pattern: '/_app/health', run: () => item({ status: 'ok', version: VERSION }) },
    ...consoleRoutes,
  ],
})
