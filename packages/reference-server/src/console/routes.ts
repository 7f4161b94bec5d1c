import { notFound } from '../domain/service-error.ts'
import { acceptsGzip } from '../http/accepts-gzip.ts'
import type { IncomingMessage, OutgoingMessage } from '../http/message.ts'
import type { Route } from '../http/route.ts'
import type { Asset } from './assets.ts'
import { SHELL, SHELL_HEADERS } from './shell.ts'

function sendAsset(request: IncomingMessage, asset: Asset): OutgoingMessage {
  const headers: Record<string, string> = {
    ...SHELL_HEADERS,
    'content-type': asset.type,
    // Revalidated on every load, since a restarted server may have another version.
    'cache-control': 'no-cache',
    etag: asset.etag,
    vary: 'accept-encoding',
  }
  if (request.headers.get('if-none-match') === asset.etag) return { status: 304, headers, body: null }
  if (!acceptsGzip(request.headers.get('accept-encoding'))) return { status: 200, headers, body: asset.body }
  return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: asset.gzipped }
}

/**
 * `GET /_app/console` and its files. They contain no data and need no token: the script of the page requests all data
 * below `/_app` with the token in `Authorization`.
 */
export const consoleRoutes: readonly Route[] = [
  {
    method: 'GET',
    pattern: '/_app/console',
    run: () => ({
      status: 200,
      headers: { ...SHELL_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
      body: SHELL,
    }),
  },
  {
    method: 'GET',
    pattern: '/_app/console/:file',
    run: async ({ request, params }) => {
      const { consoleAssets } = await import('./assets.ts')
      const asset = (await consoleAssets()).get(params.file ?? '')
      if (!asset) throw notFound()
      return sendAsset(request, asset)
    },
  },
]
