import type { KeyedRandom } from './random.ts'

/** Characters that may stand for each other. */
type Alphabet = readonly string[]

const VOWELS = new Set(['a', 'e', 'i', 'o', 'u'])

const range = (first: string, last: string): string[] => {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at))
}

const LATIN = range('a', 'z')
const LOWER: readonly Alphabet[] = [
  LATIN.filter((letter) => VOWELS.has(letter)),
  LATIN.filter((letter) => !VOWELS.has(letter)),
  range('а', 'я'),
]
const ALPHABETS: readonly Alphabet[] = [
  ...LOWER,
  ...LOWER.map((letters) => letters.map((letter) => letter.toUpperCase())),
  range('0', '9'),
]

/**
 * Characters of other scripts that say something: letters, marks, numbers, symbols such as skin tones, private ones, those that this version of Unicode
 * does not have, and tags. Those near to each other in Unicode are of one script.
 */
const CLASSES = [
  ...['Lu', 'Ll', 'Lt', 'Lm', 'Lo', 'Nd', 'Nl', 'No', 'So', 'Co', 'Cn'].map(
    (one) => new RegExp(`\\p{${one}}`, 'u'),
  ),
  // Those of FE0E and FE0F say only how an emoji looks.
  /(?![\ufe0e\ufe0f])\p{M}/u,
  /(?!\p{ASCII})\p{Sk}/u,
  /[\u{e0020}-\u{e007f}]/u,
]
/** Sizes of a block that is searched for characters of the same class: the first that has others. Ideographs and syllables have large ones. */
const BLOCKS = [32, 256, 4096]
const IS_LARGE = /\p{Script=Han}|\p{Script=Hangul}/u

/** Unchanged characters in a row, such as hyphens, after which the next one is changed as well. */
const MAX_UNCHANGED = 6

/** The characters that may stand for one, and where it is among them. */
interface Place {
  readonly alphabet: Alphabet
  readonly at: number
}

const places = new Map<string, Place | undefined>()
for (const alphabet of ALPHABETS)
  for (const [at, letter] of alphabet.entries()) places.set(letter, { alphabet, at })
/** Characters whose place is kept; a text may have any character of Unicode. */
const MAX_PLACES = 20_000

function placeOf(character: string): Place | undefined {
  const known = places.get(character)
  if (known !== undefined || places.has(character)) return known
  const alphabet = findAlphabet(character)
  const place = alphabet && { alphabet, at: alphabet.indexOf(character) }
  if (places.size < MAX_PLACES) places.set(character, place)
  return place
}

function findAlphabet(character: string): Alphabet | undefined {
  const kind = CLASSES.find((one) => one.test(character))
  if (!kind) return undefined
  for (const size of BLOCKS.slice(IS_LARGE.test(character) ? 1 : 0)) {
    const start = Math.floor((character.codePointAt(0) as number) / size) * size
    const block = Array.from({ length: size }, (_, index) => String.fromCodePoint(start + index))
    const alphabet = block.filter((one) => kind.test(one) && one.length === character.length)
    if (alphabet.length > 1) return alphabet
  }
  return undefined
}

/**
 * Replaces each letter, digit and symbol of a text by another one of its script and case, at random. White space and punctuation
 * stay, so that the text keeps its length and its look, but not in long rows: of eight characters in a row at least one is another.
 */
export function scrambled(text: string, random: KeyedRandom): string {
  let result = ''
  let unchanged = 0
  for (const character of text) {
    const place = placeOf(character)
    if (place) {
      const { alphabet, at } = place
      result += alphabet[(at + 1 + random.below(alphabet.length - 1)) % alphabet.length]
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

/** Returns lower-case letters at random. */
export function letters(count: number, random: KeyedRandom): string {
  let result = ''
  for (let left = count; left > 0; left -= 1) result += LATIN[random.below(LATIN.length)]
  return result
}
