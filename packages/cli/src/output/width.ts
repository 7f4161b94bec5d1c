/**
 * Characters of one column each: Latin without combining marks, which is nearly all text, and the punctuation, arrows and marks of
 * the program's own texts.
 */
const SIMPLE = /^[\x20-\x7e\xa0-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u25e6\u2713\u2717]*$/

let measure: ((text: string) => number) | undefined
let segmenter: Intl.Segmenter | undefined

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
  return SIMPLE.test(text) || !measure ? text.length : measure(text)
}

/** Truncates the text to `columns`, with `…` at the end. Never splits a character. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  if (columns <= 0) return ''
  if (SIMPLE.test(text) || !measure) return `${text.slice(0, columns - 1).trimEnd()}…`
  let result = ''
  let width = 0
  for (const { segment } of graphemes(text)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    result += segment
  }
  return `${result.trimEnd()}…`
}

/** Pads the text with spaces to `columns`. */
export function pad(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, columns - widthOf(text)))
  return align === 'right' ? space + text : text + space
}

/** Wraps the text to lines of at most `columns`, preferably at spaces. Returns at least one line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer) <= columns) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    const parts = piecesOf(word, columns)
    line = parts.pop() ?? ''
    for (const part of parts) lines.push(part)
  }
  return [...lines, line]
}

/** Splits a word into pieces of at most `columns`, in one pass: measuring the rest for each piece takes quadratic time. */
function piecesOf(word: string, columns: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let width = 0
  for (const character of charactersOf(word)) {
    const more = widthOf(character)
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
  else for (const { segment } of graphemes(text)) yield segment
}

/** Splits a text into what a reader takes for characters. Creating the segmenter takes milliseconds. */
function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}
