/** A number of bytes that all holders together may keep in memory at one time. */
export class ByteBudget {
  readonly #maxBytes: number
  #heldBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Reserves bytes if they fit. Returns whether they did. */
  reserve(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.#maxBytes) return false
    this.#heldBytes += bytes
    return true
  }

  /** Returns bytes that were reserved before. */
  release(bytes: number): void {
    this.#heldBytes -= bytes
  }
}
