import stringWidth from 'string-width'

const ASCII = /^[\x20-\x7e]*$/

/** Columns that the text takes on a terminal. Plain ASCII is by far the most frequent. */
export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text)
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The text cut to `columns`, with `…` where something was left out; never through the middle of a character. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let result = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    const next = widthOf(segment)
    if (width + next > columns - 1) break
    result += segment
    width += next
  }
  return columns > 0 ? `${result.trimEnd()}…` : ''
}

/** The text filled up with spaces to `columns`. */
export function pad(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, columns - widthOf(text)))
  return align === 'right' ? space + text : text + space
}
