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
  open(clientAddress: string) {
    const address = networkOf(clientAddress)
    let receivedBytes = 0
    let countedBytes = 0
    return {
      /** Reserves bytes if the total and the address's share allow it. Returns whether they did. */
      reserve: (bytes: number): boolean => {
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
      /** Returns what was reserved. */
      release: (): void => this.#add(address, -countedBytes),
    }
  }

  #add(address: string, bytes: number): void {
    this.#heldBytes += bytes
    const ofAddress = (this.#heldByAddress.get(address) ?? 0) + bytes
    if (ofAddress > 0) this.#heldByAddress.set(address, ofAddress)
    else this.#heldByAddress.delete(address)
  }
}

/** Returns the first 64 bits of an IPv6 address, since one client has all addresses that begin with them. */
function networkOf(address: string): string {
  // IPv4, also as `::ffff:192.0.2.1`.
  if (!address.includes(':') || address.includes('.')) return address
  const [start, end] = address.split('::').map((part) => part.split(':')) as [string[], string[]?]
  const zeros = end ? Array<string>(8 - start.length - end.length).fill('0') : []
  return [...start, ...zeros, ...(end ?? [])].slice(0, 4).join(':')
}
