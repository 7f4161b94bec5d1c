/** Shortest text that is searched for. Shorter ones occur by chance. */
export const MIN_LENGTH = 8
/** Bits of the filter per character, and at most in all: 128 MiB. */
const BITS_PER_CHARACTER = 16
const MAX_BITS = 2 ** 30
const MIN_BITS = 2 ** 16
/** Characters that are searched as one text. */
const MAX_CHUNK = 2 ** 27

const PRIME = 0x01000193
/** `PRIME` to the power of the length of a window, for removing its first character. */
const LEAVING = Array.from({ length: MIN_LENGTH }).reduce<number>((power) => Math.imul(power, PRIME), 1)

/**
 * Finds texts of eight characters or more inside many others, without regard to case. A filter of all windows of eight characters rules out nearly
 * every text that is not there; the others are searched for.
 */
export class TextIndex {
  readonly #chunks: string[] = []
  readonly #filter: Uint8Array
  readonly #mask: number

  constructor(texts: Iterable<string>) {
    let chunk: string[] = []
    let length = 0
    let total = 0
    const close = (): void => {
      this.#chunks.push(chunk.join('\0'))
      chunk = []
      length = 0
    }
    for (const text of texts) {
      if (text.length < MIN_LENGTH) continue
      const folded = fold(text)
      chunk.push(folded)
      length += folded.length + 1
      total += folded.length + 1
      if (length > MAX_CHUNK) close()
    }
    close()
    let bits = MIN_BITS
    while (bits < total * BITS_PER_CHARACTER && bits < MAX_BITS) bits *= 2
    this.#mask = bits - 1
    this.#filter = new Uint8Array(bits / 8)
    for (const one of this.#chunks)
      for (const hash of windows(one))
        for (const bit of this.#bits(hash))
          this.#filter[bit >>> 3] = (this.#filter[bit >>> 3] as number) | (1 << (bit & 7))
  }

  /** Whether a text, without white space around it, is a part of one of the texts. */
  contains(text: string): boolean {
    const wanted = fold(text.trim())
    if ([...wanted].length < MIN_LENGTH) return false
    for (const hash of windows(wanted)) {
      for (const bit of this.#bits(hash))
        if (((this.#filter[bit >>> 3] as number) & (1 << (bit & 7))) === 0) return false
    }
    return this.#chunks.some((chunk) => chunk.includes(wanted))
  }

  #bits(hash: number): [number, number] {
    return [(hash & this.#mask) >>> 0, (Math.imul(hash, 0x9e3779b1) & this.#mask) >>> 0]
  }
}

const fold = (text: string): string => text.toLowerCase()

/** Yields a hash of each window of eight characters. */
function* windows(text: string): Generator<number> {
  let hash = 0
  for (let at = 0; at < text.length; at += 1) {
    hash = (Math.imul(hash, PRIME) + text.charCodeAt(at)) | 0
    if (at >= MIN_LENGTH) hash = (hash - Math.imul(text.charCodeAt(at - MIN_LENGTH), LEAVING)) | 0
    if (at >= MIN_LENGTH - 1) yield mixed(hash)
  }
}

/** Spreads a hash over all bits. */
function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return half ^ (half >>> 13)
}
