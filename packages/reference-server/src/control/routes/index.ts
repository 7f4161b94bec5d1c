import { consoleRoutes } from '../../console/routes.ts'
import { item, jsonText } from '../../http/json-response.ts'
import { route } from '../../http/router.ts'
import { lazy } from '../../lazy.ts'
import { VERSION } from '../../version.ts'
import type { ControlRoutes } from '../control-api.ts'
import { createPreviews } from '../previews.ts'
import { catalogRoutes } from './catalog.ts'
import { type ControlParts, queryRoute, withBody } from './shared.ts'
import { receiverRoutes, testingRoutes, waitRoutes } from './testing.ts'
import { webAppRoutes } from './web-app.ts'

const controlDocument = lazy(
  () => import('@formwire/contract/control.openapi.json', { with: { type: 'json' } }),
)

export function controlRoutes(parts: ControlParts): ControlRoutes {
  const previews = createPreviews(parts.loadPreviews)
  return {
    routes: [
      ...catalogRoutes(parts),
      ...webAppRoutes(parts.app),
      // Shows questions that are not published.
      withBody('POST', '/_app/previews', () => (body) => previews.create(body), 201),
      ...testingRoutes(parts),
      ...receiverRoutes(parts),
      ...waitRoutes(parts),
      route('GET', '/_app/openapi.json', async () =>
        jsonText(200, JSON.stringify((await controlDocument()).default)),
      ),
    ],
    openRoutes: [
      route('GET', '/_app/health', () => item({ status: 'ok', version: VERSION })),
      // The path of a preview is its credential, since a browser opens it without a token.
      queryRoute('/_app/previews/:token', ['static'], ({ params, query }) =>
        previews.page(params.token ?? '', query.has('static') ? 'static' : 'page'),
      ),
      ...consoleRoutes(parts.redeemSignIn),
    ],
  }
}
