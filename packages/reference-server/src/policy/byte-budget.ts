import { BODIES_SHARE_PER_ADDRESS, UNCOUNTED_BODY_BYTES } from '../resource-limits.ts'

/** Bytes of the bodies that may be kept in memory at one time. */
export class ByteBudget {
  readonly #maxBytes: number
  #heldBytes = 0
  readonly #heldByAddress = new Map<string, number>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Starts to count a body. Its first 16 KiB are not counted. */
  open(address: string): CountedBody {
    let receivedBytes = 0
    let countedBytes = 0
    return {
      reserve: (bytes) => {
        const more = Math.max(0, receivedBytes + bytes - UNCOUNTED_BODY_BYTES) - countedBytes
        const ofAddress = this.#heldByAddress.get(address) ?? 0
        const exceedsShare =
          ofAddress > countedBytes && ofAddress + more > this.#maxBytes * BODIES_SHARE_PER_ADDRESS
        if (more > 0 && (exceedsShare || this.#heldBytes + more > this.#maxBytes)) return false
        receivedBytes += bytes
        countedBytes += more
        this.#add(address, more)
        return true
      },
      release: () => this.#add(address, -countedBytes),
    }
  }

  #add(address: string, bytes: number): void {
    this.#heldBytes += bytes
    const ofAddress = (this.#heldByAddress.get(address) ?? 0) + bytes
    if (ofAddress > 0) this.#heldByAddress.set(address, ofAddress)
    else this.#heldByAddress.delete(address)
  }
}

/** A body of a client that counts against a budget. */
export interface CountedBody {
  /** Reserves bytes if they fit: beside all bodies, and beside the others of the same client. Returns whether they did. */
  reserve(bytes: number): boolean
  /** Returns what was reserved. */
  release(): void
}
