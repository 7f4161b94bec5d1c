import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { loadLate } from '../load-late.ts'
import { ICON } from './icon.ts'

/** One file of the console, ready to be sent. */
export interface Asset {
  readonly type: string
  readonly body: Uint8Array
  readonly gzipped: Uint8Array
  /** Strong entity tag, quotes included. */
  readonly etag: string
}

const compress = promisify(gzip)

async function asset(type: string, text: string): Promise<Asset> {
  const body = new TextEncoder().encode(text)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { type, body, gzipped: await compress(body, { level: 9 }), etag }
}

async function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  // Imported here and nowhere else: whoever never opens the console never loads the bundle, let alone the bundler.
  const { bundleConsole } = await import('./bundle.ts')
  const { js, css } = await bundleConsole()
  return new Map([
    ['console.js', await asset('text/javascript; charset=utf-8', js)],
    ['console.css', await asset('text/css; charset=utf-8', css)],
    ['icon.svg', await asset('image/svg+xml', ICON)],
  ])
}

/** The console's files by name. Built or read at the first call, kept for the life of the process. */
export const consoleAssets = loadLate(loadAssets)
