import type { Context } from '../context.ts'
import { readLogo } from '../domain/appearance.ts'
import { notFound } from '../domain/service-error.ts'
import { acceptsGzip } from '../http/accepts-gzip.ts'
import type { IncomingMessage, OutgoingMessage } from '../http/message.ts'
import type { Route } from '../http/route.ts'
import { themeOf } from './accent.ts'
import { entityTag, publicFormAssets } from './assets.ts'
import { publishedForm } from './open-form.ts'
import { ASSETS_ROOT, PAGE_HEADERS } from './page/document.ts'

interface StaticFile {
  readonly type: string
  readonly body: string | Uint8Array
  readonly gzipped?: Uint8Array
  readonly etag: string
}

/** Browsers revalidate on every load: a restarted server may have another version, and a form may be published again. */
function send(request: IncomingMessage, { type, body, gzipped, etag }: StaticFile): OutgoingMessage {
  const headers: Record<string, string> = {
    ...PAGE_HEADERS,
    'content-type': type,
    'cache-control': 'no-cache',
    etag,
    ...(gzipped && { vary: 'accept-encoding' }),
  }
  if (request.headers.get('if-none-match') === etag) return { status: 304, headers, body: null }
  if (!gzipped || !acceptsGzip(request.headers.get('accept-encoding'))) return { status: 200, headers, body }
  return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipped }
}

/** `GET /f/assets/{file}`: the script and style sheet of the pages. */
export const assetRoute: Route = {
  method: 'GET',
  pattern: `${ASSETS_ROOT}/:file`,
  run: async ({ request, params }) => {
    const asset = (await publicFormAssets()).get(params.file ?? '')
    if (!asset) throw notFound()
    return send(request, { ...asset, body: asset.text })
  },
}

/** `GET /f/{slug}/theme.css`: the colours of a form with an accent. A file, since the pages allow no inline styles. */
export const themeRoute = (context: Context): Route => ({
  method: 'GET',
  pattern: '/f/:slug/theme.css',
  run: ({ request, params }) => {
    const { accent } = publishedForm(context, params.slug ?? '').publication.appearance ?? {}
    if (!accent) throw notFound()
    const body = themeOf(accent)
    return send(request, { type: 'text/css; charset=utf-8', body, etag: entityTag(body) })
  },
})

/** `GET /f/{slug}/logo`: the image of a form. */
export const logoRoute = (context: Context): Route => ({
  method: 'GET',
  pattern: '/f/:slug/logo',
  run: ({ request, params }) => {
    const { logo } = publishedForm(context, params.slug ?? '').publication.appearance ?? {}
    const image = logo ? readLogo(logo) : undefined
    if (!image) throw notFound()
    return send(request, { type: image.type, body: image.bytes, etag: entityTag(image.bytes) })
  },
})
