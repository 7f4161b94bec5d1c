import { createHash } from 'node:crypto'
import { lazy } from '../lazy.ts'

/** A static file of the pages. */
export interface PageAsset {
  readonly type: string
  readonly text: string
  /** Strong entity tag, quotes included. */
  readonly etag: string
}

/** A form with three lines and a check mark. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="4" y="2" width="24" height="28" rx="4" fill="#0b57d0"/><path d="M9 10h14M9 16h14M9 22l3 3 6-6" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`

function asset(type: string, text: string): PageAsset {
  return { type, text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

async function load(): Promise<ReadonlyMap<string, PageAsset>> {
  // Imported lazily, so that the bundle (or the bundler) is loaded only when a form is opened.
  const { bundlePublicForm } = await import('./bundle.ts')
  const { js, css } = await bundlePublicForm()
  return new Map([
    ['form.js', asset('text/javascript; charset=utf-8', js)],
    ['form.css', asset('text/css; charset=utf-8', css)],
    ['icon.svg', asset('image/svg+xml', ICON)],
  ])
}

/** Returns the files by name. Built or read on the first call and then cached. */
export const publicFormAssets = lazy(load)
