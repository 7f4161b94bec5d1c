import { LIMITS } from '@formwire/contract'

/** Bytes that are enough for what is kept, however long its characters: UTF-8 takes four at most. */
const KEPT_BYTES = 4 * LIMITS.receiverAnswerMaxLength

/**
 * A chunk in a buffer no larger than this is kept as it is, up to its end. A larger one is copied: a slice of it would
 * keep all of it alive.
 */
const SMALL_BUFFER = 2 * KEPT_BYTES

/** Collects the beginning of a receiver's answer, and no more of it than is kept (DLV-07, DLV-11). */
export class AnswerBuffer {
  /** The only one, for most answers. */
  #first: Buffer | undefined
  #more: Buffer[] | undefined
  #length = 0

  /** Takes a chunk. Returns whether more is wanted. */
  add(chunk: Buffer): boolean {
    if (chunk.length === 0) return true
    const rest = KEPT_BYTES - this.#length
    const wanted = chunk.length > rest ? chunk.subarray(0, rest) : chunk
    const kept = chunk.buffer.byteLength > SMALL_BUFFER || this.#first ? Buffer.from(wanted) : wanted
    if (!this.#first) this.#first = kept
    else if (this.#more) this.#more.push(kept)
    else this.#more = [kept]
    this.#length += kept.length
    return this.#length < KEPT_BYTES
  }

  /** The first 300 Unicode code points; bytes that are no UTF-8 are U+FFFD. */
  text(): string {
    if (!this.#first) return ''
    const bytes = this.#more ? Buffer.concat([this.#first, ...this.#more]) : this.#first
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
