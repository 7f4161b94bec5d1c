import { pad, wrap } from '../output/width.ts'

/** A section of help: a heading and its lines. */
export interface Section {
  heading: string
  lines: readonly string[]
}

const GAP = 2
const INDENT = '  '
/** Widest left column of a list; a longer term has its description on the next line. */
const MAX_TERM = 28

/** Returns the lines of `term  description` pairs, with wrapped descriptions. */
export function termLines(
  pairs: readonly (readonly [term: string, text: string])[],
  width: number,
): string[] {
  const column = Math.min(MAX_TERM, Math.max(0, ...pairs.map(([term]) => term.length)))
  const indent = INDENT + ' '.repeat(column + GAP)
  return pairs.flatMap(([term, text]) => {
    const [first = '', ...more] = wrap(text, Math.max(20, width - indent.length))
    const rest = more.map((line) => indent + line)
    if (text === '') return [INDENT + term]
    if (term.length > column) return [INDENT + term, indent + first, ...rest]
    return [INDENT + pad(term, column + GAP) + first, ...rest]
  })
}

/** Wraps paragraphs, which line feeds separate, with a blank line between them. */
export function paragraphs(text: string, width: number): string {
  return text
    .split('\n')
    .map((paragraph) => wrap(paragraph, width).join('\n'))
    .join('\n\n')
}

/** Joins blocks of text with a blank line between them. Empty sections are omitted. */
export function page(...blocks: readonly (string | Section)[]): string {
  const texts = blocks.map((block) => (typeof block === 'string' ? block : sectionText(block)))
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`
}

function sectionText({ heading, lines }: Section): string {
  return lines.length === 0 ? '' : `${heading}:\n${lines.join('\n')}`
}
