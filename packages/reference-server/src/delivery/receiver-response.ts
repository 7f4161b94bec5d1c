import { LIMITS } from '@formwire/contract'

/** Enough bytes for the characters that are kept: a character has at most four bytes in UTF-8. */
const KEPT_BYTES = 4 * LIMITS.receiverAnswerMaxLength

/**
 * A chunk in a buffer up to this size is kept as it is. A chunk of a larger buffer is copied, since a slice would keep the
 * whole buffer in memory.
 */
const SMALL_BUFFER = 2 * KEPT_BYTES

/** Collects the beginning of a receiver's response body, no more than the log keeps (DLV-07, DLV-11). */
export class ResponseBodyStart {
  /** Most responses have only this chunk. */
  #first: Buffer | undefined
  #more: Buffer[] | undefined
  #length = 0

  /** Adds a chunk. Returns whether more is needed. */
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

  /** Returns the first 300 Unicode code points. Invalid UTF-8 becomes U+FFFD. */
  text(): string {
    if (!this.#first) return ''
    const bytes = this.#more ? Buffer.concat([this.#first, ...this.#more]) : this.#first
    return firstCodePoints(bytes.toString('utf8'), LIMITS.receiverAnswerMaxLength)
  }
}

function firstCodePoints(text: string, count: number): string {
  return text.length <= count ? text : [...text].slice(0, count).join('')
}
