import { LIMITS } from '@formwire/contract'

/** Enough bytes for the characters that are kept: a character has at most four bytes in UTF-8. */
const KEPT_BYTES = 4 * LIMITS.receiverAnswerMaxLength

/** Collects the beginning of a receiver's response body, no more than the log keeps (DLV-07, DLV-11). */
export class ReceiverAnswerExcerpt {
  readonly #chunks: Buffer[] = []
  #length = 0

  /** Adds a chunk. Returns whether more is needed. */
  add(chunk: Buffer): boolean {
    // A copy, since a slice would keep the whole chunk in memory.
    const kept = Buffer.from(chunk.subarray(0, KEPT_BYTES - this.#length))
    this.#chunks.push(kept)
    this.#length += kept.length
    return this.#length < KEPT_BYTES
  }

  /** Returns the first 300 Unicode code points. Invalid UTF-8 becomes U+FFFD. */
  text(): string {
    const text = Buffer.concat(this.#chunks).toString('utf8')
    return [...text].slice(0, LIMITS.receiverAnswerMaxLength).join('')
  }
}
