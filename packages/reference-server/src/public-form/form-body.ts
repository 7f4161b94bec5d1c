import { LIMITS } from '@formwire/contract'
import type { Context } from '../context.ts'
import { badRequest, ServiceError } from '../domain/service-error.ts'
import { receiveWithin } from '../http/body.ts'
import type { IncomingMessage } from '../http/message.ts'
import { FormFields, replaceEvery } from './form-fields.ts'
import { readMultipartBody } from './multipart.ts'

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

/** Maximum number of fields of a urlencoded form post: more than the largest possible page has (`page-length.ts`). */
const FIELDS_MAX = 65_000

/**
 * Reads a form post, urlencoded or multipart. Texts are limited to 1 MiB in total; the files of a multipart body may add
 * `filesMaxBytes`. Throws `bad_request` for a larger or malformed body (ERR-01).
 */
export async function readFormFields(
  { bodyBudgets }: Context,
  request: IncomingMessage,
  filesMaxBytes: number,
): Promise<FormFields> {
  const encoding = request.headers.get('content-encoding')?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity') throw badRequest('The body must be sent without a Content-Encoding.')
  const isMultipart = mediaType(request) === 'multipart/form-data'
  const budget = isMultipart && filesMaxBytes > 0 ? bodyBudgets.withFiles : bodyBudgets.withoutFiles
  return receiveWithin(budget, request.address, async (reserve) =>
    isMultipart
      ? readMultipartBody(
          await request.readBody(LIMITS.bodyMaxBytes + filesMaxBytes, reserve),
          request.headers.get('content-type') ?? '',
        )
      : readUrlencoded(await request.readBody(LIMITS.bodyMaxBytes, reserve)),
  )
}

function readUrlencoded(body: Uint8Array): FormFields {
  const fields = new FormFields()
  try {
    const text = replaceEvery(new TextDecoder('utf-8', { fatal: true }).decode(body), '+', ' ')
    let count = 0
    for (let from = 0; from < text.length; ) {
      const end = text.indexOf('&', from)
      const pair = text.slice(from, end < 0 ? undefined : end)
      from += pair.length + 1
      if (pair === '') continue
      count += 1
      if (count > FIELDS_MAX) throw badRequest(`The form post has more than ${FIELDS_MAX} fields.`)
      const equals = pair.indexOf('=')
      const name = equals < 0 ? pair : pair.slice(0, equals)
      fields.addText(decodeURIComponent(name), equals < 0 ? '' : decodeURIComponent(pair.slice(equals + 1)))
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw badRequest('The form post contains invalid percent-encoding.')
  }
  return fields
}
