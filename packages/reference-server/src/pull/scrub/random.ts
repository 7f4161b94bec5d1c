import { createCipheriv, hash } from 'node:crypto'

/** Numbers that depend on a key and a text only, and from which neither can be found. */
export interface KeyedRandom {
  /** Returns an integer from 0 to `below` − 1. */
  below(below: number): number
}

/** Most texts are names and words, for which 32 numbers are enough. */
const ZEROS = new Uint8Array(128)
const NO_COUNT = new Uint8Array(16)
const NUMBER_BYTES = 4

/**
 * Creates the numbers of a text: the keystream of AES-256 in counter mode, whose key is SHA-256 of the key and the text. Known numbers
 * show no others, of this text or of another one. The digest is not revealed, so that it cannot be extended.
 *
 * @param key of a fixed length, so that no other key and text are the same
 */
export function keyedRandom(key: string, text: string): KeyedRandom {
  const stream = createCipheriv('aes-256-ctr', hash('sha256', key + text, 'buffer'), NO_COUNT)
  let block = stream.update(ZEROS)
  let at = 0
  const next = (): number => {
    if (at === block.length) {
      block = stream.update(ZEROS)
      at = 0
    }
    at += NUMBER_BYTES
    return block.readUInt32LE(at - NUMBER_BYTES)
  }
  return { below: (below) => next() % below }
}
