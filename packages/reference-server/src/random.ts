import { randomBytes } from 'node:crypto'

/** Where ids, keys and secrets come from. Passed in, so that a seed makes them repeatable. */
export interface RandomSource {
  bytes(length: number): Uint8Array
  /** A source that goes on as this one would, without moving it. A source that cannot be repeated has none. */
  fork?(): RandomSource
}

/** Bytes fetched from the operating system at a time: asking for each id alone costs more than the id. */
const POOL_BYTES = 4096

/** The operating system's own randomness. No byte is ever given out twice. */
export const systemRandom: RandomSource = createPool()

function createPool(): RandomSource {
  let pool = new Uint8Array()
  return {
    bytes(length) {
      if (length > POOL_BYTES) return randomBytes(length)
      if (length > pool.length) pool = randomBytes(POOL_BYTES)
      const bytes = pool.subarray(0, length)
      pool = pool.subarray(length)
      return bytes
    },
  }
}

/** A repeatable sequence for a seed (splitmix32). For tests and demos: its output can be guessed. */
export function seededRandom(seed: number): RandomSource {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let word = state
    word = Math.imul(word ^ (word >>> 16), 0x21f0aaad)
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97)
    return (word ^ (word >>> 15)) >>> 0
  }
  return {
    bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff),
    fork: () => seededRandom(state),
  }
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random letters and digits. A byte past the last whole alphabet is dropped, so that each character is equally likely. */
export function randomText(random: RandomSource, length: number): string {
  const limit = 256 - (256 % ALPHABET.length)
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length))
      if (byte < limit) text += ALPHABET[byte % ALPHABET.length]
  }
  return text
}
