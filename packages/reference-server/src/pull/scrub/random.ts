import { hash } from 'node:crypto'

/** Numbers that depend on a key and a text only, and from which neither can be found. */
export interface KeyedRandom {
  /** Returns an integer from 0 to `below` − 1. */
  below(below: number): number
}

/**
 * Creates the numbers of a text: xoshiro128**, seeded with SHA-256 of the key and the text. The digest is not revealed, so that it
 * cannot be extended, against which HMAC would help at three times the cost. cspell:ignore xoshiro
 *
 * @param key of a fixed length, so that no other key and text are the same
 */
export function keyedRandom(key: string, text: string): KeyedRandom {
  const seed = hash('sha256', key + text, 'buffer')
  let a = seed.readUInt32LE(0)
  let b = seed.readUInt32LE(4)
  let c = seed.readUInt32LE(8)
  let d = seed.readUInt32LE(12) | 1
  const next = (): number => {
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotated(d, 11)
    return result
  }
  return { below: (below) => next() % below }
}

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by))
