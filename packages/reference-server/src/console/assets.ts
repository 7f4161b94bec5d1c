import { LOGO } from '@formwire/internal/logo'
import { FONT_FACES, fontAssets } from '../fonts/assets.ts'
import { compressedFile, SCRIPT_TYPE, STYLE_TYPE, type StaticFile } from '../http/static-files.ts'
import { lazy } from '../lazy.ts'

/** Returns the console's files by name. Built or read on the first call and then cached. */
export const consoleAssets = lazy(async (): Promise<ReadonlyMap<string, StaticFile>> => {
  // Imported lazily, so that the bundle (or the bundler) is loaded only when the console is opened.
  const { bundleConsole } = await import('@formwire/console')
  const { js, css, chunks } = await bundleConsole()
  const scripts = Object.entries({ 'console.js': js, ...chunks })
  return new Map([
    ...(await Promise.all(
      scripts.map(async ([name, text]) => [name, await compressedFile(SCRIPT_TYPE, text)] as const),
    )),
    ['console.css', await compressedFile(STYLE_TYPE, FONT_FACES + css)],
    ['icon.svg', await compressedFile('image/svg+xml', LOGO)],
    ...(await fontAssets()),
  ])
})
