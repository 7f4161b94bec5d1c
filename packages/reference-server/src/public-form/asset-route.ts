import { notFound } from '../domain/service-error.ts'
import type { Route } from '../http/route.ts'
import { publicFormAssets } from './assets.ts'
import { ASSETS_ROOT, PAGE_HEADERS } from './page/document.ts'

/** `GET /f/assets/{file}`: the script and style sheet of the pages. */
export const assetRoute: Route = {
  method: 'GET',
  pattern: `${ASSETS_ROOT}/:file`,
  run: async ({ request, params }) => {
    const asset = (await publicFormAssets()).get(params.file ?? '')
    if (!asset) throw notFound()
    const headers = {
      ...PAGE_HEADERS,
      'content-type': asset.type,
      // Revalidated on every load, since a restarted server may have another version.
      'cache-control': 'no-cache',
      etag: asset.etag,
    }
    if (request.headers.get('if-none-match') === asset.etag) return { status: 304, headers, body: null }
    return { status: 200, headers, body: asset.text }
  },
}
