import type { IncomingMessage } from '../http/message.ts'

const FORM_TYPES: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data'])

/** The media type of the body in lower case, without parameters; empty when the request names none. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Whether the body is what a browser's form posts. */
export const isFormPost = (request: IncomingMessage): boolean => FORM_TYPES.has(mediaType(request))

/** How much a client likes a media type: the quality of the most specific range that covers it, RFC 9110 §12.5.1. */
function quality(accept: string, type: string): number {
  const ranges = ['*/*', `${type.split('/', 1)[0]}/*`, type]
  let best = -1
  let result = 0
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const rank = ranges.indexOf(range)
    if (rank <= best) continue
    best = rank
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    result = weight === undefined ? 1 : Number(weight) || 0
  }
  return result
}

/** What `Accept` asks for; `either` when it takes both alike or is missing. Browsers ask for a page by name. */
export function preferred(request: IncomingMessage): 'page' | 'json' | 'either' {
  const accept = request.headers.get('accept') ?? ''
  const page = quality(accept, 'text/html')
  const json = quality(accept, 'application/json')
  if (page === json) return 'either'
  return page > json ? 'page' : 'json'
}

/**
 * Whether a request that writes is answered with a page: a form post unless it asks for JSON, a body of JSON never, and
 * no body at all only when a page is asked for.
 */
export function writesForPage(request: IncomingMessage): boolean {
  if (isFormPost(request)) return preferred(request) !== 'json'
  return mediaType(request) === '' && preferred(request) === 'page'
}
