import type { KeyedRandom } from './random.ts'

/** Characters that may stand for each other. */
type Alphabet = readonly string[]

const ALPHABETS: readonly Alphabet[] = [
  'aeiou',
  'bcdfghjklmnpqrstvwxyz',
  'AEIOU',
  'BCDFGHJKLMNPQRSTVWXYZ',
  '0123456789',
].map((letters) => [...letters])

/** Characters of other scripts: letters, digits and symbols near to each other in Unicode are of one script. */
const CLASSES = [/\p{Lu}/u, /\p{Ll}/u, /\p{Lo}/u, /\p{Nd}/u, /\p{So}/u]
/** Size of a block that is searched for characters of the same class. Ideographs and syllables have far larger ones. */
const BLOCK = 32
const LARGE_BLOCK = 256
const IS_LARGE = /\p{Script=Han}|\p{Script=Hangul}/u

/** Unchanged characters in a row, such as hyphens, after which the next one is changed as well. */
const MAX_UNCHANGED = 6

const alphabets = new Map<string, Alphabet | undefined>()
for (const alphabet of ALPHABETS) for (const letter of alphabet) alphabets.set(letter, alphabet)
/** Alphabets that are kept; a text may have any character of Unicode. */
const MAX_ALPHABETS = 20_000

function alphabetOf(character: string): Alphabet | undefined {
  if (alphabets.has(character)) return alphabets.get(character)
  const alphabet = findAlphabet(character)
  if (alphabets.size < MAX_ALPHABETS) alphabets.set(character, alphabet)
  return alphabet
}

function findAlphabet(character: string): Alphabet | undefined {
  const kind = CLASSES.find((one) => one.test(character))
  if (!kind) return undefined
  const size = IS_LARGE.test(character) ? LARGE_BLOCK : BLOCK
  const start = Math.floor((character.codePointAt(0) as number) / size) * size
  const block = Array.from({ length: size }, (_, index) => String.fromCodePoint(start + index))
  const alphabet = block.filter((one) => kind.test(one) && one.length === character.length)
  return alphabet.length > 1 ? alphabet : undefined
}

/**
 * Replaces each letter, digit and symbol of a text by another one of its script and case, at random. White space and punctuation
 * stay, so that the text keeps its length and its look, but not in long rows: of eight characters in a row at least one is another.
 */
export function scrambled(text: string, random: KeyedRandom): string {
  let result = ''
  let unchanged = 0
  for (const character of text) {
    const alphabet = alphabetOf(character)
    if (alphabet) {
      const at = alphabet.indexOf(character) + 1 + random.below(alphabet.length - 1)
      result += alphabet[at % alphabet.length]
      unchanged = 0
    } else if (unchanged < MAX_UNCHANGED) {
      result += character
      unchanged += 1
    } else {
      result += character === '.' ? ',' : '.'
      unchanged = 0
    }
  }
  return result
}

const PLAIN = 'abcdefghijklmnopqrstuvwxyz'

/** Returns lower-case letters at random. */
export function letters(count: number, random: KeyedRandom): string {
  let result = ''
  for (let left = count; left > 0; left -= 1) result += PLAIN[random.below(PLAIN.length)]
  return result
}
