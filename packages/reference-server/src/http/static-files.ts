import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsGzip } from './finish-response.ts'
import type { IncomingMessage, OutgoingMessage } from './message.ts'

/** A file that a page loads. */
export interface StaticFile {
  readonly type: string
  readonly body: string | Uint8Array
  readonly gzipped?: Uint8Array
  /** Strong entity tag, quotes included. */
  readonly etag: string
  /** Its name changes with its content. */
  readonly isImmutable?: boolean
}

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
export const STYLE_TYPE = 'text/css; charset=utf-8'

const compress = promisify(gzip)

/** Returns a file that is sent without compression. */
export const staticFile = (type: string, body: string | Uint8Array): StaticFile => ({
  type,
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
})

/** Returns a file that is also kept compressed. */
export const compressedFile = async (type: string, text: string): Promise<StaticFile> => ({
  ...staticFile(type, text),
  gzipped: await compress(text, { level: 9 }),
})

/** Browsers revalidate on every load, unless the name has a hash: a restarted server may have another version, and a form may be published again. */
export function sendStatic(
  request: IncomingMessage,
  { type, body, gzipped, etag, isImmutable }: StaticFile,
  pageHeaders: Readonly<Record<string, string>>,
): OutgoingMessage {
  const headers: Record<string, string> = {
    ...pageHeaders,
    'content-type': type,
    'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    ...(gzipped && { vary: 'accept-encoding' }),
  }
  if (request.headers.get('if-none-match') === etag) return { status: 304, headers, body: null }
  if (!gzipped || !acceptsGzip(request.headers.get('accept-encoding'))) return { status: 200, headers, body }
  return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipped }
}

/**
 * Returns the headers of a page and its files, whose texts are untrusted. They allow only files of this server: no inline
 * scripts or styles, no framing, and no markup from text (Trusted Types).
 *
 * @param directives What the policy says about frames, forms and base URLs.
 */
export const pageHeaders = (...directives: string[]): Readonly<Record<string, string>> =>
  headersOf("connect-src 'self'", ...directives, "frame-ancestors 'none'")

/** Returns the headers of a preview: a page that sends nothing, and that pages of this server may show in a frame. */
export const previewHeaders = (...directives: string[]): Readonly<Record<string, string>> => ({
  ...headersOf("connect-src 'none'", "form-action 'none'", ...directives, "frame-ancestors 'self'"),
  'x-frame-options': 'SAMEORIGIN',
})

const headersOf = (...directives: string[]): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    ...directives,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
})
