import { LIMITS } from '@formwire/contract'

/** Bytes that are enough for what is kept, however long its characters: UTF-8 takes four at most. */
const KEPT_BYTES = 4 * LIMITS.receiverAnswerMaxLength

/** Collects the beginning of a receiver's answer, and no more of it than is kept (DLV-07, DLV-11). */
export class AnswerBuffer {
  #chunks: Buffer[] = []
  #length = 0

  /** Takes a chunk. Returns whether more is wanted. */
  add(chunk: Buffer): boolean {
    const rest = KEPT_BYTES - this.#length
    // A copy: a slice would keep the whole chunk, and the socket's buffer behind it, alive.
    if (chunk.length > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, rest)))
    this.#length += Math.min(chunk.length, rest)
    return this.#length < KEPT_BYTES
  }

  /** The first 300 Unicode code points; bytes that are no UTF-8 are U+FFFD. */
  text(): string {
    if (this.#length === 0) return ''
    const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    return firstCodePoints(bytes.toString('utf8'), LIMITS.receiverAnswerMaxLength)
  }
}

function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let taken = 0; taken < count && end < text.length; taken += 1) {
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
