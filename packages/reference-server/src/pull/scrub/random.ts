import { hash } from 'node:crypto'

/** Largest limit for which one number of a digest, of 16 bits, is even enough. */
const MAX_OF_ONE = 512
const ONE = 2 ** 16

/**
 * Numbers that depend on a key and a text only, and from which neither can be found: SHA-512 of the key and the text, 16 bits a number, and then SHA-512
 * of the key, a counter and this first digest. Known numbers show no others, since each number shows only a remainder.
 */
export class KeyedRandom {
  readonly #key: string
  readonly #first: string
  /** The digest whose numbers are next, a byte a character: several times as fast as a buffer. */
  #digest: string
  #digests = 1
  #at = 0

  /** @param key of a fixed length, so that no other key and text are the same @param text must not begin with a digit */
  constructor(key: string, text: string) {
    this.#key = key
    this.#first = hash('sha512', key + text, 'binary')
    this.#digest = this.#first
  }

  /** Returns an integer from 0 to `below` − 1, for up to 2 ** 40. */
  below(below: number): number {
    if (below <= MAX_OF_ONE) return this.#next() % below
    return ((this.#next() * ONE + this.#next()) * ONE + this.#next()) % below
  }

  #next(): number {
    if (this.#at === this.#digest.length) {
      this.#digest = hash('sha512', `${this.#key}${this.#digests}\0${this.#first}`, 'binary')
      this.#digests += 1
      this.#at = 0
    }
    const at = this.#at
    this.#at = at + 2
    return this.#digest.charCodeAt(at) * 256 + this.#digest.charCodeAt(at + 1)
  }
}
