import { consoleRoutes } from '../../console/routes.ts'
import { item, jsonText } from '../../http/json-response.ts'
import type { Route } from '../../http/router.ts'
import { lazy } from '../../lazy.ts'
import { VERSION } from '../../version.ts'
import type { ControlRoutes } from '../control-api.ts'
import { catalogRoutes } from './catalog.ts'
import { deliveryControlRoutes } from './deliveries.ts'
import { formControlRoutes, formReportRoutes } from './forms.ts'
import { peopleRoutes } from './people.ts'
import { receiverRoutes } from './receivers.ts'
import { type ControlParts, withBody } from './shared.ts'
import { clockControlRoutes, testingRoutes } from './testing.ts'
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

type PreviewParts = Pick<ControlParts, 'previews'>

/** The route that creates previews of questions that are not published. */
const previewRoutes = (parts: PreviewParts): Route[] => [
  withBody('POST', '/_app/previews', () => (body) => parts.previews.create(body), 201),
]

/** The page of a preview and its files. Their path is the credential, since a browser opens them without a token. */
const openPreviewRoutes = (parts: PreviewParts): Route[] => [
  {
    method: 'GET',
    pattern: '/_app/previews/:token',
    parameters: ['static'],
    run: ({ request: { path }, params, query }) =>
      parts.previews.page(params.token ?? '', { path, isStatic: query.has('static') }),
  },
  {
    method: 'GET',
    pattern: '/_app/previews/:token/:file',
    run: ({ params }) => parts.previews.file(params.token ?? '', params.file ?? ''),
  },
]
