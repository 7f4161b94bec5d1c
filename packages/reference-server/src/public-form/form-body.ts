import { LIMITS } from '@formwire/contract'
import { badRequest } from '../http/errors.ts'
import type { IncomingMessage } from '../http/message.ts'
import { FormFields } from './form-fields.ts'
import { mediaType } from './negotiate.ts'

/**
 * Reads a form post, urlencoded or multipart. Texts together may have 1 MiB; `filesMaxBytes` is what files may add to
 * that in a multipart body. Throws `bad_request` for a body that is larger or cannot be read (ERR-01).
 */
export async function readFormFields(request: IncomingMessage, filesMaxBytes: number): Promise<FormFields> {
  const encoding = request.headers.get('content-encoding')?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity') throw badRequest('The body has to be sent without a Content-Encoding.')
  return mediaType(request) === 'multipart/form-data'
    ? readMultipart(request, filesMaxBytes)
    : readUrlencoded(await request.readBody(LIMITS.bodyMaxBytes))
}

function readUrlencoded(body: Uint8Array): FormFields {
  const fields = new FormFields()
  try {
    for (const pair of new TextDecoder('utf-8', { fatal: true }).decode(body).split('&')) {
      if (pair === '') continue
      const [name = '', ...value] = pair.replaceAll('+', ' ').split('=')
      fields.addText(decodeURIComponent(name), decodeURIComponent(value.join('=')))
    }
  } catch {
    throw badRequest('The form post has a broken percent-encoding.')
  }
  return fields
}

async function readMultipart(request: IncomingMessage, filesMaxBytes: number): Promise<FormFields> {
  const body = await request.readBody(LIMITS.bodyMaxBytes + filesMaxBytes)
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  const parts = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw badRequest('The multipart body cannot be read.')
  })
  const fields = new FormFields()
  let textBytes = 0
  for (const [name, value] of parts) {
    if (typeof value === 'string') {
      textBytes += Buffer.byteLength(name) + Buffer.byteLength(value)
      if (textBytes > LIMITS.bodyMaxBytes) throw badRequest('The fields of the form may have 1 MiB together.')
      fields.addText(name, value)
    } else if (value.name !== '' || value.size > 0) {
      // A file field that was left empty arrives as a file without name and bytes.
      fields.addFile(name, { name: value.name, size: value.size })
    }
  }
  return fields
}
