import type { IncomingMessage } from '../http/message.ts'

const FORM_TYPES: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data'])

/** Returns the media type of the body in lowercase, without parameters; empty without a Content-Type. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Whether the body is a browser's form post. */
export const isFormPost = (request: IncomingMessage): boolean => FORM_TYPES.has(mediaType(request))

/** Returns the most specific range of `Accept` that covers a media type (RFC 9110 §12.5.1). */
function rangeFor(accept: string, type: string): { quality: number; precision: number } {
  const ranges = ['*/*', `${type.split('/', 1)[0]}/*`, type]
  let decisive = { quality: 0, precision: -1 }
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const precision = ranges.indexOf(range)
    if (precision <= decisive.precision) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    decisive = { precision, quality: weight === undefined ? 1 : Number(weight) || 0 }
  }
  return decisive
}

/**
 * Returns the type that `Accept` prefers: by weight, then by the more specific range; `either` if it does not decide.
 * Browsers name `text/html`; other programs often accept anything.
 */
export function preferred(request: IncomingMessage): 'page' | 'json' | 'either' {
  const accept = request.headers.get('accept') ?? ''
  const page = rangeFor(accept, 'text/html')
  const json = rangeFor(accept, 'application/json')
  const lead = page.quality - json.quality || page.precision - json.precision
  if (lead === 0 || page.quality + json.quality === 0) return 'either'
  return lead > 0 ? 'page' : 'json'
}

/**
 * Whether the response to a POST or PUT is a page: for a form post unless it prefers JSON, for an empty body only if it
 * prefers a page, and for JSON never.
 */
export function respondsWithPage(request: IncomingMessage): boolean {
  if (isFormPost(request)) return preferred(request) !== 'json'
  return mediaType(request) === '' && preferred(request) === 'page'
}
