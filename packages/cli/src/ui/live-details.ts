import { jsonLines, layOutStart, wrapStart } from '../output/long-text.ts'
import type { Pens } from '../output/pens.ts'
import { type Column, cardLines } from '../output/table.ts'
import { redact, safeIndented, safeLine } from '../output/text-safety.ts'
import type { Details } from './live-model.ts'

export interface RowDetails {
  item: unknown
  /** Returns the fields of the item as they are now. Those without a text are left out. */
  facts(): readonly Column<never>[]
  /** Lines of text below the facts, such as headers. */
  texts?: readonly string[]
  /** What comes last: a value that is shown as JSON, or a text. */
  body: { json: unknown } | { text: string }
}

/** Returns the lines of details, without control characters and secrets. Only the facts are laid out again for the same width. */
export function detailLines(
  { item, facts, texts = [], body }: RowDetails,
  secrets: readonly string[],
  pens: Pens,
): Details {
  const hide = (text: string): string => redact(text, secrets)
  const wrapped = (lines: readonly string[], width: number): string[] =>
    layOutStart(lines, width, (line) => wrapStart(hide(safeIndented(line)), width))
  let rest: { width: number; lines: readonly string[] } | undefined
  return (width) => {
    const fields = (facts() as readonly Column<unknown>[])
      .filter(({ text }) => text(item) !== '')
      .map((field) => ({ ...field, text: () => hide(safeLine(field.text(item))) }))
    if (rest?.width !== width) {
      const end =
        'json' in body ? jsonLines(body.json, width, pens, hide) : wrapped(body.text.split('\n'), width)
      const middle = texts.length === 0 ? [] : ['', ...wrapped(texts, width)]
      rest = { width, lines: [...middle, '', ...end] }
    }
    return [...cardLines([item], fields, { width, pens }), ...rest.lines]
  }
}
