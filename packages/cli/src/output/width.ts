/** Characters that take one column each: Latin, without combining marks. Nearly all text, and measured at once. */
const SIMPLE = /^[\x20-\x7e\xa0-\u02ff]*$/

let measure: ((text: string) => number) | undefined
let graphemes: Intl.Segmenter | undefined

/** Gets ready to measure these texts: what is beyond Latin needs tables that a one-shot command does without. */
export async function prepareWidths(texts: Iterable<string>): Promise<void> {
  if (measure) return
  for (const text of texts) {
    if (SIMPLE.test(text)) continue
    measure = (await import('string-width')).default
    graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    return
  }
}

/** Columns that the text takes on a terminal. */
export function widthOf(text: string): number {
  return SIMPLE.test(text) || !measure ? text.length : measure(text)
}

/** The text cut to `columns`, with `…` where something was left out; never through the middle of a character. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  if (columns <= 0) return ''
  if (SIMPLE.test(text) || !graphemes) return `${text.slice(0, columns - 1).trimEnd()}…`
  let result = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    result += segment
  }
  return `${result.trimEnd()}…`
}

/** The text filled up with spaces to `columns`. */
export function pad(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, columns - widthOf(text)))
  return align === 'right' ? space + text : text + space
}

/** The text in lines of at most `columns`, broken at spaces where there are any. At least one line. */
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
    line = word
    while (widthOf(line) > columns) {
      const head = fit(line, columns + 1).slice(0, -1)
      if (head === '') break
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  return [...lines, line]
}
