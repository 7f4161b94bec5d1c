import { LOGO } from '@formwire/internal/logo'
import type { Context } from '../context.ts'
import { readLogo } from '../domain/appearance.ts'
import { notFound } from '../domain/service-error.ts'
import { FONT_FACES, fontAssets } from '../fonts/assets.ts'
import { type Route, route } from '../http/router.ts'
import {
  compressedFile,
  SCRIPT_TYPE,
  STYLE_TYPE,
  type StaticFile,
  sendStatic,
  staticFile,
} from '../http/static-files.ts'
import { lazy } from '../lazy.ts'
import { themeOf } from './accent.ts'
import { publishedForm } from './open-form.ts'
import { ASSETS_ROOT, PAGE_HEADERS } from './page/document.ts'

/** `GET /f/assets/{file}`: the script and style sheet of the pages. */
export const assetRoute: Route = route('GET', `${ASSETS_ROOT}/:file`, async ({ request, params }) => {
  const asset = (await publicFormAssets()).get(params.file ?? '')
  if (!asset) throw notFound()
  return sendStatic(request, asset, PAGE_HEADERS)
})

/** `GET /f/{slug}/theme.css`: the colours of a form with an accent. A file, since the pages allow no inline styles. */
export const themeRoute = (context: Context): Route =>
  route('GET', '/f/:slug/theme.css', ({ request, params }) => {
    const { accent } = publishedForm(context, params.slug ?? '').publication.appearance ?? {}
    if (!accent) throw notFound()
    return sendStatic(request, staticFile(STYLE_TYPE, themeOf(accent)), PAGE_HEADERS)
  })

/** `GET /f/{slug}/logo`: the image of a form. */
export const logoRoute = (context: Context): Route =>
  route('GET', '/f/:slug/logo', ({ request, params }) => {
    const { logo } = publishedForm(context, params.slug ?? '').publication.appearance ?? {}
    const image = logo ? readLogo(logo) : undefined
    if (!image) throw notFound()
    return sendStatic(request, staticFile(image.type, image.bytes), PAGE_HEADERS)
  })

/** Returns the files by name. Built or read on the first call and then cached. */
const publicFormAssets = lazy(async (): Promise<ReadonlyMap<string, StaticFile>> => {
  // Imported lazily, so that the bundle (or the bundler) is loaded only when a form is opened.
  const { bundlePublicForm } = await import('./bundle.ts')
  const { js, css } = await bundlePublicForm()
  return new Map([
    ['form.js', await compressedFile(SCRIPT_TYPE, js)],
    ['form.css', await compressedFile(STYLE_TYPE, FONT_FACES + css)],
    ['icon.svg', await compressedFile('image/svg+xml', LOGO)],
    ...(await fontAssets()),
  ])
})
