/**
 * Characters of one column each: Latin without combining marks, which is nearly all text, and the punctuation, arrows and marks of
 * the program's own texts.
 */
const SIMPLE = /^[\x20-\x7e\xa0-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u25e6\u2713\u2717]*$/

let measure: ((text: string) => number) | undefined
let segmenter: Intl.Segmenter | undefined
/** Widths of characters that are not Latin, since measuring one takes microseconds. */
const measured = new Map<string, number>()
const MAX_MEASURED = 10_000

/** Prepares to measure these texts. Loads `string-width` only if some are not Latin. */
export async function prepareWidths(texts: Iterable<string>): Promise<void> {
  if (measure) return
  for (const text of texts) {
    if (SIMPLE.test(text)) continue
    measure = (await import('string-width')).default
    return
  }
}

/** Returns the width of the text on a terminal, in columns. */
export function widthOf(text: string): number {
  if (SIMPLE.test(text) || !measure) return text.length
  if (text.includes('\u001b')) return measure(text)
  let width = 0
  for (const character of graphemes(text)) width += widthOfOne(character)
  return width
}

function widthOfOne(character: string): number {
  if (SIMPLE.test(character) || !measure) return character.length
  const known = measured.get(character)
  if (known !== undefined) return known
  if (measured.size >= MAX_MEASURED) measured.clear()
  const width = measure(character)
  measured.set(character, width)
  return width
}

/** Truncates the text to `columns`, with `…` at the end. Never splits a character. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  if (columns <= 0) return ''
  if (SIMPLE.test(text) || !measure) return `${text.slice(0, columns - 1).trimEnd()}…`
  let result = ''
  let width = 0
  for (const character of graphemes(text)) {
    width += widthOfOne(character)
    if (width > columns - 1) break
    result += character
  }
  return `${result.trimEnd()}…`
}

/** Pads the text with spaces at its end to `columns`. */
export const pad = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)))

/** Wraps the text to lines of at most `columns`, preferably at spaces. Returns at least one line. */
export const wrap = (text: string, columns: number): string[] =>
  fill(text.split(' '), columns, (word) => piecesOf(word, columns))

/** Returns the words in lines of at most `columns`. @param split returns the lines of a word that has no room on one */
export function fill(
  words: readonly string[],
  columns: number,
  split: (word: string) => readonly string[],
): string[] {
  const lines: string[] = []
  let line = ''
  // Measuring the line again for each word takes quadratic time.
  let width = 0
  for (const word of words) {
    const wordWidth = widthOf(word)
    const longer = line === '' ? wordWidth : width + 1 + wordWidth
    if (longer <= columns) {
      line = line === '' ? word : `${line} ${word}`
      width = longer
      continue
    }
    if (line !== '') lines.push(line)
    const parts = split(word)
    line = parts.at(-1) ?? ''
    width = widthOf(line)
    for (const part of parts.slice(0, -1)) lines.push(part)
  }
  return [...lines, line]
}

/** Splits a word into pieces of at most `columns`, in one pass: measuring the rest for each piece takes quadratic time. */
function piecesOf(word: string, columns: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let width = 0
  for (const character of charactersOf(word)) {
    const more = widthOfOne(character)
    if (width + more > columns && piece !== '') {
      pieces.push(piece)
      piece = ''
      width = 0
    }
    piece += character
    width += more
  }
  return [...pieces, piece]
}

function* charactersOf(text: string): Iterable<string> {
  if (SIMPLE.test(text) || !measure) yield* text
  else yield* graphemes(text)
}

/** What is segmented at a time, since the time for one text is quadratic in its length. */
const WINDOW = 500
export const HALF_AT_END = /[\ud800-\udbff]$/

/**
 * Splits a text into what a reader takes for characters. One of more code units than a window is split. Creating the segmenter takes
 * milliseconds.
 */
function* graphemes(text: string): Iterable<string> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (let start = 0; start < text.length; ) {
    // Half of a surrogate pair would be a character.
    const window = text.slice(start, start + WINDOW).replace(HALF_AT_END, '') || text.slice(start, start + 1)
    const isLast = start + window.length >= text.length
    let next = start + window.length
    for (const { segment, index } of segmenter.segment(window)) {
      // More of the last one may follow.
      if (!isLast && index > 0 && index + segment.length === window.length) next = start + index
      else yield segment
    }
    start = next
  }
}
