import { LOGO } from '@formwire/internal/logo'
import { notFound } from '../domain/service-error.ts'
import { FONT_FACES, fontAssets } from '../fonts/assets.ts'
import { type Route, route } from '../http/router.ts'
import { compressedFile, SCRIPT_TYPE, STYLE_TYPE, type StaticFile, sendStatic } from '../http/static-files.ts'
import { lazy } from '../lazy.ts'
import { ASSETS_ROOT, PAGE_HEADERS } from './page/document.ts'

/** `GET /f/assets/{file}`: the script and style sheet of the pages. */
export const assetRoute: Route = route('GET', `${ASSETS_ROOT}/:file`, async ({ request, params }) => {
  const asset = (await publicFormAssets()).get(params.file ?? '')
  if (!asset) throw notFound()
  return sendStatic(request, asset, PAGE_HEADERS)
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
