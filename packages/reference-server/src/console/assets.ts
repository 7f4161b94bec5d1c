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
    ['console.css', await compressedFile(STYLE_TYPE, css)],
    ['icon.svg', await compressedFile('image/svg+xml', ICON)],
  ])
})

/** The logo: a form with a wire leaving it. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#3b49cf"/>
<g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round">
<path d="M8 10h10M8 16h5"/>
<path d="M8 22h4c5 0 3-6 8-6h2"/>
</g>
<circle cx="24" cy="16" r="2.6" fill="#fff"/>
</svg>
`
