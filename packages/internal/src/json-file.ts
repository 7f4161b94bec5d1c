import { constants } from 'node:buffer'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { getHeapStatistics } from 'node:v8'
import { textProblem } from './json.ts'

/** Bytes that are parsed as one text. V8 has no text of more than 512 MiB. */
const MAX_TEXT = 2 ** 28
/** Bytes that are read at once: Node.js reads less than 2 GiB. */
const MAX_READ = 2 ** 30

/** Memory for the values of a file and what is made of them, per byte: 3.7 for a seed of a million responses, and room to collect garbage. */
const HEAP_PER_BYTE = 5
const MIB = 2 ** 20

/** A file that does not fit into memory, or that is not UTF-8. */
export class JsonFileError extends Error {
  override readonly name = 'JsonFileError'
}

/**
 * Reads a file of JSON, which may be longer than the longest text. Returns undefined if it is not valid JSON.
 * @param maxHeap bytes that the heap may have @param maxSize bytes that a buffer may have
 * @throws JsonFileError; the error of the file system
 */
export async function readJsonFile(
  path: string,
  maxHeap = getHeapStatistics().heap_size_limit,
  maxSize = constants.MAX_LENGTH,
): Promise<unknown> {
  const file = await open(path)
  try {
    const stats = await file.stat()
    if (stats.isFile()) refuseLarge(stats.size, maxHeap, maxSize)
    const bytes = stats.isFile() ? await readBytes(file, stats.size) : await readFile(file)
    const value = parseJsonBytes(bytes)
    const problem = value === undefined ? bytesProblem(bytes) : ''
    if (problem !== '') throw new JsonFileError(`the file is ${problem}`)
    return value
  } finally {
    await file.close()
  }
}

function refuseLarge(size: number, maxHeap: number, maxSize: number): void {
  if (size > maxSize) throw new JsonFileError(`the file has ${size} bytes; at most ${maxSize} can be read`)
  if (size * HEAP_PER_BYTE <= maxHeap) return
  const [needed, limit] = [size * HEAP_PER_BYTE, maxHeap].map((bytes) => Math.ceil(bytes / MIB))
  throw new JsonFileError(
    `the file has ${size} bytes, which need some ${needed} MiB of memory, and Node.js may use ${limit}; set NODE_OPTIONS=--max-old-space-size=${needed}`,
  )
}

async function readBytes(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size)
  let length = 0
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, Math.min(MAX_READ, size - length), length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

/** Bytes that show whether a file is UTF-16: a mark and a character. */
const START_BYTES = 4
/** Byte order mark. */
const MARK = Buffer.from('\uFEFF')

/** Returns why the bytes of a file are not UTF-8, or an empty text. */
export const bytesProblem = (bytes: Buffer): string => textProblem(bytes.toString('utf8', 0, START_BYTES), '')

/** Returns UTF-8 without the byte order mark that programs on Windows write before it. */
export const bytesWithoutMark = (bytes: Buffer): Buffer =>
  MARK.equals(bytes.subarray(0, MARK.length)) ? bytes.subarray(MARK.length) : bytes

/** Parses JSON in UTF-8, after a byte order mark. Returns undefined if it is not valid. @param maxText bytes that are parsed as one text */
export function parseJsonBytes(bytes: Buffer, maxText = MAX_TEXT): unknown {
  try {
    return parsed(bytesWithoutMark(bytes), maxText)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const [COMMA, COLON, QUOTE, BACKSLASH] = [0x2c, 0x3a, 0x22, 0x5c]

/** Parses the members of a list or object that is too long for one text one by one. @throws SyntaxError */
function parsed(bytes: Buffer, maxText: number): unknown {
  if (bytes.length <= maxText) return JSON.parse(bytes.toString())
  const inner = trimmed(bytes)
  const [first, last] = [inner[0], inner.at(-1)]
  if (first === OPEN_LIST && last === CLOSE_LIST)
    return [...parts(inner)].map((item) => parsed(item, maxText))
  if (first !== OPEN_OBJECT || last !== CLOSE_OBJECT) return JSON.parse(inner.toString())
  const members = [...parts(inner)].map((member) => {
    const end = endOfPart(member, 0, COLON)
    const name: unknown = JSON.parse(member.toString('utf8', 0, end))
    if (typeof name !== 'string') throw new SyntaxError('a name of a member is not text')
    return [name, parsed(member.subarray(end + 1), maxText)] as const
  })
  return Object.fromEntries(members)
}

/** Yields what is between the commas of a list or object; nothing if that is empty. */
function* parts(container: Buffer): Generator<Buffer> {
  const inner = trimmed(container.subarray(1, -1))
  if (inner.length === 0) return
  for (let start = 0; start <= inner.length; ) {
    const end = endOfPart(inner, start, COMMA)
    yield inner.subarray(start, end)
    start = end + 1
  }
}

/** Returns the offset of the next separator that is in no list, object or text inside; the length if there is none. */
function endOfPart(bytes: Buffer, start: number, separator: number): number {
  let depth = 0
  let isText = false
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (isText) {
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
    else if (byte === separator && depth === 0) return at
  }
  return bytes.length
}

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Returns the bytes without white space around them. */
function trimmed(bytes: Buffer): Buffer {
  let [start, end] = [0, bytes.length]
  while (start < end && isSpace(bytes[start])) start += 1
  while (end > start && isSpace(bytes[end - 1])) end -= 1
  return bytes.subarray(start, end)
}
