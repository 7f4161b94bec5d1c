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

/**
 * Whether to answer with a page rather than with JSON. A body of JSON is answered in JSON; else `Accept` decides, and
 * whoever takes both alike (or says nothing) gets the page.
 */
export function wantsPage(request: IncomingMessage): boolean {
  const writes = request.method !== 'GET' && request.method !== 'HEAD'
  if (writes && !isFormPost(request) && mediaType(request) !== '') return false
  const accept = request.headers.get('accept') ?? ''
  // A write without a body (submitting a draft as it is) comes from a program unless it asks for a page.
  if (writes && !isFormPost(request))
    return quality(accept, 'text/html') > quality(accept, 'application/json')
  return accept === '' || quality(accept, 'text/html') >= quality(accept, 'application/json')
}
