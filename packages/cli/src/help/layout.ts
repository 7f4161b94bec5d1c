import { hanging, type Pens, wordLines } from '../output/pens.ts'
import { pad } from '../output/width.ts'

/** How help is shown. */
export interface HelpStyle {
  /** Columns of the terminal; undefined for a pipe. */
  columns: number | undefined
  pens: Pens
}

/** A section of help: a heading and its lines. */
export interface Section {
  heading: string
  lines: readonly string[]
}

/** Columns of help that is not for a terminal. */
const PLAIN_COLUMNS = 80
const GAP = 2
const INDENT = '  '
/** Widest left column of a list; a longer term has its description on the next line. */
const MAX_TERM = 28

const widthFor = ({ columns }: HelpStyle): number => columns ?? PLAIN_COLUMNS

/** Returns the text with its placeholders, such as `<form>` and `[options]`, in colour. */
export function placeholders(text: string, { pens }: Pick<HelpStyle, 'pens'>): string {
  return text.replace(/<[\w:. -]+>|\[[\w.: -]+\]/g, (name) => pens.cyan(name))
}

/** What stands for a value of the user in the command line of an example. */
const EXAMPLE_VALUES = /(?<= )(?:FORM|DELIVERY|URL)(?= |$)/g

/** Returns the lines of `term  description` pairs, with wrapped descriptions. @param paint of a term */
export function termLines(
  pairs: readonly (readonly [term: string, text: string])[],
  style: HelpStyle,
  paint: (term: string) => string = (term) => placeholders(term, style),
): string[] {
  const column = Math.min(MAX_TERM, Math.max(0, ...pairs.map(([term]) => term.length)))
  const indent = INDENT.length + column + GAP
  return pairs.flatMap(([term, text]) => {
    if (text === '') return [INDENT + paint(term)]
    const fits = term.length <= column
    const head = INDENT + paint(pad(term, fits ? column + GAP : 0))
    const lines = hanging(fits ? head : ' '.repeat(indent), indent, text, widthFor(style))
    return fits ? lines : [head, ...lines]
  })
}

/** Returns the lines of command lines, each with what it does below it. */
export function exampleLines(examples: Readonly<Record<string, string>>, style: HelpStyle): string[] {
  const indent = 6
  return Object.entries(examples).flatMap(([line, does]) => [
    `  ${style.pens.dim('$')} ${line.replace(EXAMPLE_VALUES, (value) => style.pens.cyan(value))}`,
    ...hanging(' '.repeat(indent), indent, does, widthFor(style)).map((text) => style.pens.dim(text)),
  ])
}

/** Returns items in a list that breaks only between them. */
export function itemLines(items: readonly string[], style: HelpStyle): string[] {
  const text = items.map((item) => item.replaceAll(' ', NO_BREAK_SPACE)).join(', ')
  const lines = hanging(INDENT, INDENT.length, text, widthFor(style))
  return lines.map((line) => placeholders(line.replaceAll(NO_BREAK_SPACE, ' '), style))
}

const NO_BREAK_SPACE = '\u00a0'

/** Returns items after a bold label, with further lines below the first item. Lines break within an item only if it fits on none. */
export function labelled(
  label: string,
  items: readonly string[],
  separator: string,
  { columns = Number.POSITIVE_INFINITY, pens }: HelpStyle,
): string {
  const indent = label.length + 1
  const mark = separator.trimEnd().replace(' ', NO_BREAK_SPACE)
  const text = items
    .map((item) =>
      indent + item.length + mark.length <= columns ? item.replaceAll(' ', NO_BREAK_SPACE) : item,
    )
    .join(`${mark} `)
  return hanging(`${pens.bold(label)} `, indent, text, columns)
    .join('\n')
    .replaceAll(NO_BREAK_SPACE, ' ')
}

/** Wraps paragraphs, which line feeds separate, with a blank line between them. */
export function paragraphs(text: string, style: HelpStyle): string {
  return text
    .split('\n')
    .map((paragraph) => placeholders(wordLines(paragraph, widthFor(style)).join('\n'), style))
    .join('\n\n')
}

/** Joins blocks of text with a blank line between them. Empty sections are omitted. */
export function page({ pens }: HelpStyle, ...blocks: readonly (string | Section)[]): string {
  const texts = blocks.map((block) => {
    if (typeof block === 'string') return block
    const { heading, lines } = block
    return lines.length === 0 ? '' : `${pens.bold(`${heading}:`)}\n${lines.join('\n')}`
  })
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`
}
