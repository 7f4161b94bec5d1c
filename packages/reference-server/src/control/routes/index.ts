import type { App } from '../../app.ts'
import { consoleRoutes } from '../../console/routes.ts'
import type { Context } from '../../context.ts'
import type { Journal } from '../../http/journal.ts'
import { item, jsonText } from '../../http/responses.ts'
import { lazy } from '../../lazy.ts'
import { VERSION } from '../../version.ts'
import type { ControlRoutes } from '../control-api.ts'
import type { Receivers } from '../receivers.ts'
import { clockControlRoutes } from './clock.ts'
import { deliveryControlRoutes } from './deliveries.ts'
import { formControlRoutes } from './forms.ts'
import { peopleRoutes } from './people.ts'
import { receiverRoutes } from './receivers.ts'
import { testingRoutes } from './testing.ts'
import { waitRoutes } from './wait.ts'
import { webhookControlRoutes } from './webhooks.ts'

const controlDocument = lazy(
  () => import('@formwire/contract/control.openapi.json', { with: { type: 'json' } }),
)

/** What the routes of the control API work on. */
export interface ControlParts {
  readonly app: App
  readonly context: Context
  readonly journal: Journal
  readonly receivers: Receivers
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}

/** The routes of the control API. */
export const controlRoutes = ({
  app,
  context,
  journal,
  receivers,
  closing,
}: ControlParts): ControlRoutes => ({
  routes: [
    ...peopleRoutes(app),
    ...formControlRoutes(app),
    ...webhookControlRoutes(app.webhooks, app.deliveries),
    ...deliveryControlRoutes(app.deliveries),
    ...clockControlRoutes(context),
    ...testingRoutes(app, receivers),
    ...receiverRoutes(receivers),
    ...waitRoutes({ context, journal, closing }),
    {
      method: 'GET',
      pattern: '/_app/openapi.json',
      run: async () => jsonText(200, JSON.stringify((await controlDocument()).default)),
    },
  ],
  openRoutes: [
    { method: 'GET', pattern: '/_app/health', run: () => item({ status: 'ok', version: VERSION }) },
    ...consoleRoutes,
  ],
})
