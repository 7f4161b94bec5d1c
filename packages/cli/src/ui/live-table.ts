import { type Pen, type Pens, TONE_PENS } from '../output/pens.ts'
import { fitted, pad, widthOf } from '../output/width.ts'
import { type Cell, type LiveRow, textOf } from './live-model.ts'

/** A column of a live view. */
export interface LiveColumn {
  header: string
  /** Width, so that no row moves when another one arrives; of the last column, which takes the rest, the least. */
  width: number
  align?: 'right'
  /** Whether a narrow terminal leaves the column out, unless there is space for it after those with a lower number. */
  drops?: number
  /** Whether its texts have the colour of their row. */
  isToned?: boolean
}

/** A text in one style. */
export type Span = readonly [text: string, pen?: Pen | undefined]

const GAP = '  '
/** Columns above this number leave more of the line to the last column, which says why a delivery failed. */
const LAST_ESSENTIAL = 3
const MORE_FOR_LAST = 20

/** Lays out rows in columns, each of which is shown from its first text on. */
export class LiveTable {
  readonly #columns: readonly LiveColumn[]
  readonly #pens: Pens
  readonly #used = new Set<number>()

  constructor(columns: readonly LiveColumn[], pens: Pens) {
    this.#columns = columns
    this.#pens = pens
  }

  /** Returns the line of the headers and one for each row. */
  lines(rows: readonly LiveRow[], width: number, selected?: string): string[] {
    for (const { tone, cells } of rows)
      if (tone !== 'note') for (const [at, cell] of cells.entries()) if (cell !== '') this.#used.add(at)
    const shown = this.#shown(width)
    const line = (
      mark: string,
      texts: readonly Cell[],
      penOf: (column: LiveColumn) => Pen | undefined,
    ): string => {
      const spans = shown.flatMap((at, index): Span[] => {
        const column = this.#columns[at] as LiveColumn
        const text = textOf(texts[at] ?? '')
        const cut = at === this.#columns.length - 1 ? text : fitted(text, column.width)
        return [[index === 0 ? mark : GAP], [pad(cut, column.width, column.align), penOf(column)]]
      })
      return lineOf(spans, width, this.#pens)
    }
    const lines = rows.map(({ key, tone, cells }) => {
      if (tone === 'note') return lineOf([[cells.map(textOf).join(GAP), 'dim']], width, this.#pens)
      const isSelected = key === selected
      const pen = tone && TONE_PENS[tone]
      const text = line(isSelected ? '› ' : GAP, cells, ({ isToned }) => (isToned ? pen : undefined))
      return isSelected ? this.#pens.inverse(text) : text
    })
    const headers = this.#columns.map(({ header }) => header.toUpperCase())
    return [line(GAP, headers, () => 'bold'), ...lines]
  }

  /** Returns the positions of the columns that fit. */
  #shown(width: number): number[] {
    const last = this.#columns.length - 1
    const drops = (at: number): number => this.#columns[at]?.drops ?? 0
    const more = this.#used.has(last) && drops(last) === 0 ? MORE_FOR_LAST : 0
    let left = width
    const fits = (at: number): boolean => {
      const needed = GAP.length + (this.#columns[at]?.width ?? 0)
      if (drops(at) > 0 && needed + (drops(at) > LAST_ESSENTIAL ? more : 0) > left) return false
      left -= needed
      return true
    }
    const byNeed = [...this.#used].sort((one, other) => drops(one) - drops(other))
    return byNeed.filter(fits).sort((one, other) => one - other)
  }
}

/** Returns the texts as one line, cut to the width. */
export function lineOf(spans: readonly Span[], width: number, pens: Pens): string {
  let left = width
  return spans
    .map(([text, pen]) => {
      const cut = fitted(text, left)
      left -= widthOf(cut)
      return pen && cut !== '' ? pens[pen](cut) : cut
    })
    .join('')
}
