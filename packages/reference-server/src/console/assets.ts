import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { lazy } from '../lazy.ts'
import { ICON } from './icon.ts'

/** A static file of the console. */
export interface Asset {
  readonly type: string
  readonly body: Uint8Array
  readonly gzipped: Uint8Array
  /** Strong entity tag, quotes included. */
  readonly etag: string
}

const SCRIPT = 'text/javascript; charset=utf-8'

const compress = promisify(gzip)

async function asset(type: string, text: string): Promise<Asset> {
  const body = new TextEncoder().encode(text)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { type, body, gzipped: await compress(body, { level: 9 }), etag }
}

async function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  // Imported lazily, so that the bundle (or the bundler) is loaded only when the console is opened.
  const { bundleConsole } = await import('@formwire/console')
  const { js, css, chunks } = await bundleConsole()
  const scripts = Object.entries({ 'console.js': js, ...chunks })
  return new Map([
    ...(await Promise.all(scripts.map(async ([name, text]) => [name, await asset(SCRIPT, text)] as const))),
    ['console.css', await asset('text/css; charset=utf-8', css)],
    ['icon.svg', await asset('image/svg+xml', ICON)],
  ])
}

/** Returns the console's files by name. Built or read on the first call and then cached. */
export const consoleAssets = lazy(loadAssets)
