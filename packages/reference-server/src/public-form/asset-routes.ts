import type { Context } from '../context.ts'
import { readLogo } from '../domain/appearance.ts'
import { notFound } from '../domain/service-error.ts'
import type { Route } from '../http/route.ts'
import { STYLE_TYPE, sendStatic, staticFile } from '../http/static-files.ts'
import { themeOf } from './accent.ts'
import { publicFormAssets } from './assets.ts'
import { publishedForm } from './open-form.ts'
import { ASSETS_ROOT, PAGE_HEADERS } from './page/document.ts'

/** `GET /f/assets/{file}`: the script and style sheet of the pages. */
export const assetRoute: Route = {
  method: 'GET',
  pattern: `${ASSETS_ROOT}/:file`,
  run: async ({ request, params }) => {
    const asset = (await publicFormAssets()).get(params.file ?? '')
    if (!asset) throw notFound()
    return sendStatic(request, asset, PAGE_HEADERS)
  },
}

/** `GET /f/{slug}/theme.css`: the colours of a form with an accent. A file, since the pages allow no inline styles. */
export const themeRoute = (context: Context): Route => ({
  method: 'GET',
  pattern: '/f/:slug/theme.css',
  run: ({ request, params }) => {
    const { accent } = publishedForm(context, params.slug ?? '').publication.appearance ?? {}
    if (!accent) throw notFound()
    return sendStatic(request, staticFile(STYLE_TYPE, themeOf(accent)), PAGE_HEADERS)
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
    return sendStatic(request, staticFile(image.type, image.bytes), PAGE_HEADERS)
  },
})
