import type { IncomingMessage } from '../http/message.ts'

const FORM_TYPES: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data'])

/** The media type of the body in lower case, without parameters; empty when the request names none. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Whether the body is what a browser's form posts. */
export const isFormPost = (request: IncomingMessage): boolean => FORM_TYPES.has(mediaType(request))

/** The range of `Accept` that decides on a media type: the most specific one that covers it, RFC 9110 §12.5.1. */
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
 * What `Accept` asks for: the type that it likes better, of two it likes alike the one that it names more closely;
 * `either` when it says nothing of the kind. Browsers ask for a page by name, programs often for anything.
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
 * Whether a request that writes is answered with a page: a form post unless it asks for JSON, a body of JSON never, and
 * no body at all only when a page is asked for.
 */
export function writesForPage(request: IncomingMessage): boolean {
  if (isFormPost(request)) return preferred(request) !== 'json'
  return mediaType(request) === '' && preferred(request) === 'page'
}
