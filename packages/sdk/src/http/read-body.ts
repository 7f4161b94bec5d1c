import { pipeline, type Readable, type Transform } from 'node:stream'
import { ResponseTooLargeError } from '../errors/client-errors.ts'

/** Largest number of content encodings of one response. Each costs memory and time. */
const MAX_ENCODINGS = 4

/**
 * Reads and decodes a body as text. Rejects if a content encoding is unknown, the body is truncated, or the decoded body exceeds
 * `maxBytes`. The source and its connection are then destroyed.
 */
export function readBody(
  source: Readable,
  contentEncoding: string | null,
  maxBytes: number,
): Promise<string> {
  return contentEncoding ? readEncoded(source, contentEncoding, maxBytes) : readText(source, maxBytes)
}

function readText(source: Readable, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    source.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) source.destroy(new ResponseTooLargeError({ maxResponseBytes: maxBytes }))
      else chunks.push(chunk)
    })
    // Also emitted for a truncated body.
    source.on('error', reject)
    source.on('end', () => {
      const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      resolve(bytes.toString('utf8'))
    })
  })
}

/** Decodes in chunks, since a few kilobytes of gzip can expand to gigabytes. */
async function readEncoded(source: Readable, contentEncoding: string, maxBytes: number): Promise<string> {
  // The connection may fail while zlib loads; `pipeline` reports the error afterwards.
  source.on('error', () => {})
  try {
    const decoders = await decodersOf(contentEncoding)
    const text = readText(decoders.at(-1) ?? source, maxBytes)
    // An error anywhere in the pipeline destroys the last stream, which rejects `text`.
    if (decoders.length > 0) pipeline([source, ...decoders], () => {})
    return await text
  } catch (error) {
    source.destroy()
    // zlib rejects an empty body, such as that of a 204, which is valid here.
    if ((error as { code?: unknown }).code === 'Z_BUF_ERROR' && !source.readableDidRead) return ''
    throw error
  }
}

/** Decoders of zlib by the encodings of HTTP. Node has that of zstd from 22.15 on. */
const DECODERS: ReadonlyMap<string, string> = new Map([
  ['gzip', 'createGunzip'],
  ['x-gzip', 'createGunzip'],
  ['deflate', 'createInflate'],
  ['br', 'createBrotliDecompress'],
  ['zstd', 'createZstdDecompress'],
])

/** Returns decoders, outermost encoding first. Loads zlib lazily because most responses are small and not encoded. */
async function decodersOf(contentEncoding: string): Promise<Transform[]> {
  const zlib = (await import('node:zlib')) as unknown as Record<string, (() => Transform) | undefined>
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .reverse()
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > MAX_ENCODINGS) {
    throw encodingError(`${names.length} content encodings; at most ${MAX_ENCODINGS} are decoded.`)
  }
  return names.map((name) => {
    const decoder = zlib[DECODERS.get(name) ?? '']?.()
    if (!decoder) throw encodingError(`the content encoding ${name}, which was not requested.`)
    return decoder
  })
}

function encodingError(what: string): Error {
  return Object.assign(new Error(`The response has ${what}`), { code: 'ERR_CONTENT_ENCODING' })
}
