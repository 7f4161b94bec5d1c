import { LIMITS } from '@formwire/contract'
import type { Context } from '../context.ts'
import { badRequest, ServiceError } from '../domain/service-error.ts'
import { receiveWithin } from '../http/body.ts'
import type { IncomingMessage } from '../http/message.ts'
import { FormFields, replaceEvery } from './form-fields.ts'
import { readMultipartBody } from './multipart.ts'
import { mediaType } from './negotiate.ts'

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
