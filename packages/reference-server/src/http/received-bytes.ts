import { BodyTooLargeError } from '../domain/service-error.ts'
import type { ReserveBytes } from './message.ts'

/** Initial size of the buffer, in bytes. */
const FIRST_BYTES = 4096

/**
 * Collects a body in one buffer that doubles as needed. An array of chunks would use a hundred times the body's size for
 * chunks of one byte.
 */
export class ReceivedBytes {
  readonly #maxBytes: number
  readonly #reserve: ReserveBytes | undefined
  #buffer: Uint8Array = new Uint8Array()
  #size = 0

  constructor(maxBytes: number, reserve?: ReserveBytes) {
    this.#maxBytes = maxBytes
    this.#reserve = reserve
  }

  get size(): number {
    return this.#size
  }

  /** @throws ServiceError `bad_request` beyond the maximum, and what `reserve` throws; the chunk is then dropped. */
  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.byteLength
    if (size > this.#maxBytes) throw new BodyTooLargeError(this.#maxBytes)
    this.#reserve?.(chunk.byteLength)
    if (size > this.#buffer.byteLength) {
      const doubled = Math.min(this.#maxBytes, 2 * this.#buffer.byteLength)
      const larger = Buffer.allocUnsafeSlow(Math.max(size, doubled, FIRST_BYTES))
      larger.set(this.#buffer.subarray(0, this.#size))
      this.#buffer = larger
    }
    this.#buffer.set(chunk, this.#size)
    this.#size = size
  }

  /** Everything received so far. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size)
  }
}
