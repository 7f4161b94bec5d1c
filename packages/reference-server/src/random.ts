import { randomBytes } from 'node:crypto'

/** Source of ids, keys and secrets. A seeded one makes them repeatable. */
export interface RandomSource {
  bytes(length: number): Uint8Array
  /** Returns a source that continues as this one would, without advancing it. Absent on a source that cannot be repeated. */
  fork?: (() => RandomSource) | undefined
}

/** Bytes to fetch from the operating system at a time, since a call for each id is slow. */
const POOL_BYTES = 4096

/** The operating system's random source. Never returns a byte twice. */
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

/** Returns a repeatable source for a seed (splitmix32). Its output is predictable: use it for tests and demos only. */
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

/** Returns random letters and digits. Bytes past the last whole alphabet are dropped, so that each character is equally likely. */
export function randomText(random: RandomSource, length: number): string {
  const limit = 256 - (256 % ALPHABET.length)
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length))
      if (byte < limit) text += ALPHABET[byte % ALPHABET.length]
  }
  return text
}
