import { compressedFile, SCRIPT_TYPE, STYLE_TYPE, type StaticFile } from '../http/static-files.ts'
import { lazy } from '../lazy.ts'

/** A form with three lines and a check mark. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="4" y="2" width="24" height="28" rx="4" fill="#3b49cf"/><path d="M9 10h14M9 16h14M9 22l3 3 6-6" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`

async function load(): Promise<ReadonlyMap<string, StaticFile>> {
  // Imported lazily, so that the bundle (or the bundler) is loaded only when a form is opened.
  const { bundlePublicForm } = await import('./bundle.ts')
  const { js, css } = await bundlePublicForm()
  return new Map([
    ['form.js', await compressedFile(SCRIPT_TYPE, js)],
    ['form.css', await compressedFile(STYLE_TYPE, css)],
    ['icon.svg', await compressedFile('image/svg+xml', ICON)],
  ])
}

/** Returns the files by name. Built or read on the first call and then cached. */
export const publicFormAssets = lazy(load)
