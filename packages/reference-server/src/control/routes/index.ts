import { consoleRoutes } from '../../console/routes.ts'
import { item, jsonText } from '../../http/json-response.ts'
import { lazy } from '../../lazy.ts'
import { VERSION } from '../../version.ts'
import type { ControlRoutes } from '../control-api.ts'
import type { ControlParts } from '../control-parts.ts'
import { catalogRoutes } from './catalog.ts'
import { clockControlRoutes } from './clock.ts'
import { deliveryControlRoutes } from './deliveries.ts'
import { formReportRoutes } from './form-reports.ts'
import { formControlRoutes } from './forms.ts'
import { peopleRoutes } from './people.ts'
import { openPreviewRoutes, previewRoutes } from './previews.ts'
import { receiverRoutes } from './receivers.ts'
import { testingRoutes } from './testing.ts'
import { waitRoutes } from './wait.ts'
import { webhookControlRoutes } from './webhooks.ts'

const controlDocument = lazy(
  () => import('@formwire/contract/control.openapi.json', { with: { type: 'json' } }),
)

/** The routes of the control API. */
export const controlRoutes = (parts: ControlParts): ControlRoutes => ({
  routes: [
    ...catalogRoutes(parts),
    ...peopleRoutes(parts.app),
    ...formControlRoutes(parts.app),
    ...formReportRoutes(parts),
    ...previewRoutes(parts),
    ...webhookControlRoutes(parts.app.webhooks, parts.app.deliveries),
    ...deliveryControlRoutes(parts.app.deliveries),
    ...clockControlRoutes(parts.context),
    ...testingRoutes(parts.app, parts.receivers),
    ...receiverRoutes(parts.receivers, parts.builtIn),
    ...waitRoutes(parts),
    {
      method: 'GET',
      pattern: '/_app/openapi.json',
      run: async () => jsonText(200, JSON.stringify((await controlDocument()).default)),
    },
  ],
  openRoutes: [
    { method: 'GET', pattern: '/_app/health', run: () => item({ status: 'ok', version: VERSION }) },
    ...openPreviewRoutes(parts),
    ...consoleRoutes(parts.redeemSignIn),
  ],
})
