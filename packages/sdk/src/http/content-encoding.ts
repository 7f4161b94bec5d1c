import { promisify } from 'node:util'
import { brotliDecompress, gunzip, type InputType, inflate, type ZlibOptions } from 'node:zlib'

/** Largest body after decompression, in bytes: a few kilobytes of gzip can hold gigabytes. */
const MAX_BODY_BYTES = 256 * 1024 * 1024

type Decompress = (data: InputType, options: ZlibOptions) => Promise<Buffer>

const decoders: Record<string, Decompress> = {
  gzip: promisify<InputType, ZlibOptions, Buffer>(gunzip),
  'x-gzip': promisify<InputType, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<InputType, ZlibOptions, Buffer>(inflate),
  br: promisify<InputType, ZlibOptions, Buffer>(brotliDecompress),
}

/** The body as text, its content encodings undone. Rejects when the encoding is unknown or the data are cut short. */
export async function decodeBody(bytes: Buffer, contentEncoding: string | null): Promise<string> {
  if (!contentEncoding || bytes.length === 0) return bytes.toString('utf8')
  let decoded = bytes
  for (const name of contentEncoding.toLowerCase().split(',').reverse()) {
    const encoding = name.trim()
    if (encoding === 'identity' || encoding === '') continue
    const decode = decoders[encoding]
    if (!decode) throw new Error(`The answer is encoded as ${encoding}, which was not asked for`)
    decoded = await decode(decoded, { maxOutputLength: MAX_BODY_BYTES })
  }
  return decoded.toString('utf8')
}
