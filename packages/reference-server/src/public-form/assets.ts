import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { lazy } from '../lazy.ts'

/** A static file of the pages. */
export interface PageAsset {
  readonly type: string
  readonly text: string
  readonly gzipped: Uint8Array
  /** Strong entity tag, quotes included. */
  readonly etag: string
}

/** A form with three lines and a check mark. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="4" y="2" width="24" height="28" rx="4" fill="#3b49cf"/><path d="M9 10h14M9 16h14M9 22l3 3 6-6" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** Returns a strong entity tag of a content. */
export const entityTag = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

const compress = promisify(gzip)

async function asset(type: string, text: string): Promise<PageAsset> {
  return { type, text, gzipped: await compress(text, { level: 9 }), etag: entityTag(text) }
}

async function load(): Promise<ReadonlyMap<string, PageAsset>> {
  // Imported lazily, so that the bundle (or the bundler) is loaded only when a form is opened.
  const { bundlePublicForm } = await import('./bundle.ts')
  const { js, css } = await bundlePublicForm()
  return new Map([
    ['form.js', await asset('text/javascript; charset=utf-8', js)],
    ['form.css', await asset('text/css; charset=utf-8', css)],
    ['icon.svg', await asset('image/svg+xml', ICON)],
  ])
}

/** Returns the files by name. Built or read on the first call and then cached. */
export const publicFormAssets = lazy(load)
