import { promisify } from 'node:util'
import type { InputType, ZlibOptions } from 'node:zlib'

/** Largest body after decompression, in bytes: a few kilobytes of gzip can hold gigabytes. */
const MAX_BODY_BYTES = 256 * 1024 * 1024

type Decompress = (data: InputType, options: ZlibOptions) => Promise<Buffer>

/** The way to undo an encoding. zlib is loaded by the first answer that needs it: most are small and plain. */
async function decoderOf(encoding: string): Promise<Decompress | undefined> {
  const { brotliDecompress, gunzip, inflate } = await import('node:zlib')
  if (encoding === 'gzip' || encoding === 'x-gzip') return promisify<InputType, ZlibOptions, Buffer>(gunzip)
  if (encoding === 'deflate') return promisify<InputType, ZlibOptions, Buffer>(inflate)
  return encoding === 'br' ? promisify<InputType, ZlibOptions, Buffer>(brotliDecompress) : undefined
}

/** The body as text, its content encodings undone. Rejects when the encoding is unknown or the data are cut short. */
export async function decodeBody(bytes: Buffer, contentEncoding: string | null): Promise<string> {
  if (!contentEncoding || bytes.length === 0) return bytes.toString('utf8')
  let decoded = bytes
  for (const name of contentEncoding.toLowerCase().split(',').reverse()) {
    const encoding = name.trim()
    if (encoding === 'identity' || encoding === '') continue
    const decode = await decoderOf(encoding)
    if (!decode) throw new Error(`The answer is encoded as ${encoding}, which was not asked for`)
    decoded = await decode(decoded, { maxOutputLength: MAX_BODY_BYTES })
  }
  return decoded.toString('utf8')
}
