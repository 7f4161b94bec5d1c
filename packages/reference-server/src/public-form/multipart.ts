import { LIMITS } from '@formwire/contract'
import { badRequest } from '../domain/service-error.ts'
import { FormFields } from './form-fields.ts'

/** Maximum number of files with a name or bytes. Each becomes an upload. */
const FILES_MAX = 200
/** Maximum length of the header block of one part, in bytes. */
const PART_HEAD_MAX_BYTES = 16_384
const CR = 13
const LF = 10
const DASH = 45

/**
 * Reads a multipart body (RFC 7578) in one pass. Keeps only the name and size of files. Throws `bad_request` for a body
 * that is malformed or exceeds the limits, which are checked before the work that they limit.
 */
export function readMultipartBody(bytes: Uint8Array, contentType: string): FormFields {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fields = new FormFields()
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1')
  // The first delimiter does not start with a line end.
  const first = delimiter.subarray(2)
  let at = body.subarray(0, first.length).equals(first) ? first.length : endOf(body, delimiter, 0)
  // Texts and part headers, which also limits the number of parts.
  let textBytes = 0
  let files = 0
  while (!isLast(body, at)) {
    const head = startOfLine(body, at)
    const headEnd = body.subarray(head, head + PART_HEAD_MAX_BYTES).indexOf('\r\n\r\n')
    if (headEnd < 0) throw unreadable()
    const { name, filename } = readDisposition(body.toString('utf8', head, head + headEnd))
    const start = head + headEnd + '\r\n\r\n'.length
    // An empty part may share the line end of its headers with the delimiter.
    const next = endOf(body, delimiter, start - 2)
    const size = Math.max(0, next - delimiter.length - start)
    textBytes += headEnd + (filename === undefined ? size : 0)
    if (textBytes > LIMITS.bodyMaxBytes) throw badRequest('The form fields exceed 1 MiB in total.')
    if (filename === undefined) fields.addText(name, body.toString('utf8', start, start + size))
    // An empty file field is sent as a file without name and bytes.
    else if (filename !== '' || size > 0) {
      files += 1
      if (files > FILES_MAX) throw badRequest(`The form post has more than ${FILES_MAX} files.`)
      fields.addFile(name, { name: filename, size })
    }
    at = next
  }
  return fields
}

const unreadable = () => badRequest('The multipart body is malformed.')

function boundaryOf(contentType: string): string {
  const [, quoted, token] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType) ?? []
  const boundary = quoted ?? token
  if (boundary === undefined) throw unreadable()
  return boundary
}

/** Returns the position after the next delimiter. */
function endOf(body: Buffer, delimiter: Buffer, from: number): number {
  const found = body.indexOf(delimiter, from)
  if (found < 0) throw unreadable()
  return found + delimiter.length
}

const isLast = (body: Buffer, at: number): boolean => body[at] === DASH && body[at + 1] === DASH

/** Returns the position after the line end that follows a delimiter. */
function startOfLine(body: Buffer, at: number): number {
  if (body[at] !== CR || body[at + 1] !== LF) throw unreadable()
  return at + 2
}

const DISPOSITION = /^content-disposition:[ \t]*form-data[ \t]*;(.*)$/im

function readDisposition(head: string): { name: string; filename: string | undefined } {
  const parameters = DISPOSITION.exec(head)?.[1]
  const name = parameters === undefined ? undefined : parameter(parameters, 'name')
  if (parameters === undefined || name === undefined) throw unreadable()
  return { name, filename: parameter(parameters, 'filename') }
}

/** Reads a parameter. Browsers percent-encode `"`, CR and LF in quotes; some programs write `\"` instead. */
function parameter(parameters: string, name: string): string | undefined {
  const [, quoted, token] =
    new RegExp(`(?:^|;)[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(parameters) ?? []
  if (quoted === undefined) return token
  return quoted
    .replace(/\\(["\\])/g, '$1')
    .replace(/%(?:22|0D|0A)/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}
