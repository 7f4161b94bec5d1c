import { hash } from 'node:crypto'
import type { AddressValue, UploadedFile } from '@formwire/contract'
import { isObjectOrArray } from '@formwire/internal/json'
import { letters, scrambled } from './letters.ts'
import { KeyedRandom } from './random.ts'

/** Length of the random part of an email address or a host name. With 26 letters, a million values collide with a chance below 1 in 10. */
const NAME_LENGTH = { min: 10, max: 24 }
/** Characters of a path or query of a URL that are replaced by as many letters, at most. */
const MAX_PATH = 60
/** Only known extensions are kept: what follows the last period may be a name as well. */
const FILE_NAME =
  /^(.*?)(\.(?:pdf|jpe?g|png|gif|webp|heic|svg|txt|csv|docx?|xlsx?|pptx?|zip|mp[34]|mov|od[ts]|md|json|xml))?$/is
/** Depth of a value of an unknown type that is walked through. */
export const MAX_DEPTH = 20

/**
 * Replaces personal values. A value always gets the same pseudonym with the same key, so that a person is the same one in every form
 * and in every pull. Without the key, no value can be confirmed by trying it.
 */
export class Pseudonyms {
  /** A digest of the key. */
  readonly #key: string
  /** The host of email addresses: not that of any original, whose address could otherwise be a part of a pseudonym. */
  readonly #host: string

  /** @param key at least 16 bytes */
  constructor(key: Uint8Array) {
    this.#key = hash('sha256', key, 'base64')
    this.#host = `${letters(8, this.random('host'))}.example`
  }

  /** Returns numbers that depend on the key and these texts. */
  random(...texts: readonly string[]): KeyedRandom {
    return new KeyedRandom(this.#key, texts.join('\0'))
  }

  /** A name or any other text: as long, in the same script and with the same punctuation. */
  text(original: string): string {
    return scrambled(original, this.random('text', normalized(original)))
  }

  email(original: string): string {
    const address = normalized(original)
    const at = Math.max(0, address.lastIndexOf('@'))
    const length = Math.min(NAME_LENGTH.max, Math.max(NAME_LENGTH.min, at))
    return `${letters(length, this.random('email', address))}@${this.#host}`
  }

  /** In the same notation and digits. 999 is neither a country code nor an area code, so that nobody has the number. */
  phone(original: string): string {
    const number = phoneNumber(original)
    let count = 0
    return scrambled(original, this.random('phone', number)).replace(DIGIT, (digit) => {
      count += 1
      return count <= 3 && number.length > 6 ? nineLike(digit) : digit
    })
  }

  url(original: string): string {
    const [, scheme, rest] = /^(https?:\/\/)[^/?#]*(.*)$/is.exec(original.trim()) ?? []
    if (scheme === undefined) return this.text(original)
    const random = this.random('url', original)
    const path = (rest ?? '').slice(0, MAX_PATH)
    const host = letters(NAME_LENGTH.min, random)
    return `${scheme}${host}.example/${letters(Math.max(0, path.length - 1), random)}`
  }

  file({ id, name, size }: UploadedFile): UploadedFile {
    const [, prefix = '', rest = id] = /^(file_)(.*)$/s.exec(id) ?? []
    const [, base = name, extension = ''] = FILE_NAME.exec(name) ?? []
    return { id: prefix + this.text(rest), name: this.text(base) + extension, size }
  }

  address(original: AddressValue): AddressValue {
    const { line1, line2, city, region, postal, country } = original
    const random = this.random('address', line1, line2, postal)
    return {
      line1: scrambled(line1, random),
      line2: scrambled(line2, random),
      city: this.text(city),
      region: this.text(region),
      postal: scrambled(postal, random),
      country: this.text(country),
    }
  }

  /** A value of any shape: texts and numbers are replaced, and names of members unless they are plain identifiers. */
  anything(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.text(value)
    if (typeof value === 'number') return this.#number(value)
    if (!isObjectOrArray(value)) return value
    if (depth === MAX_DEPTH) return null
    if (Array.isArray(value)) return value.map((item) => this.anything(item, depth + 1))
    return this.members(value, (_, member) => this.anything(member, depth + 1))
  }

  /** Replaces the members of an object, and their names unless they are plain identifiers. */
  members(value: object, replace: (name: string, member: unknown) => unknown): Record<string, unknown> {
    const replaced = new Map<string, unknown>()
    for (const [name, member] of Object.entries(value)) {
      let pseudonym = IDENTIFIER.test(name) ? name : this.text(name)
      while (replaced.has(pseudonym)) pseudonym += '_'
      replaced.set(pseudonym, replace(name, member))
    }
    return Object.fromEntries(replaced)
  }

  #number(value: number): number {
    const number = Number(scrambled(String(value), this.random('number', String(value))))
    return Number.isFinite(number) ? number : 0
  }
}

const normalized = (text: string): string => text.normalize('NFC').trim().toLowerCase()

/** A name that a program has given, not a person. */
const IDENTIFIER = /^[a-z][a-z0-9_]{0,31}$/

const DIGIT = /\p{Nd}/gu
/** What the notations of a number differ in: punctuation, white space, invisible marks and the sign of the country code. */
const NOTATION = /[\p{P}\p{Z}\p{Cf}\s+]/gu

/** Returns a phone number without its notation, in digits of ASCII. */
const phoneNumber = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(NOTATION, '')
    .replace(DIGIT, (digit) => String(digitValue(digit)))

/** Unicode has the digits of a script in a row, from zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) as number
  let value = 0
  while (value < 9 && String.fromCodePoint(code - value - 1).search(DIGIT) === 0) value += 1
  return value
}

/** Returns the nine of a digit's script. */
const nineLike = (digit: string): string =>
  String.fromCodePoint((digit.codePointAt(0) as number) + 9 - digitValue(digit))
