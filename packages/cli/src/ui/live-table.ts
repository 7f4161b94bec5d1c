import { type Pen, type Pens, TONE_PENS } from '../output/pens.ts'
import { cutTo } from '../output/table.ts'
import { fitted, pad, widthOf } from '../output/width.ts'
import type { Span } from './live-counts.ts'
import { type Cell, type LiveRow, textOf } from './live-model.ts'

/** A column of a live view. */
export interface LiveColumn {
  header: string
  /** Header if the column is narrower than the other one. */
  short?: string
  /** Width, so that no row moves when another one arrives; of the last column, which takes the rest, the least. */
  width: number
  /** Width to which the column shrinks before one that matters as much is left out. @default width */
  least?: number
  align?: 'right'
  /** Whether a narrow terminal leaves the column out, unless there is space for it after those with a lower number. */
  drops?: number
  /** As `drops`, while all rows have the same text: then the column tells nothing apart. */
  dropsIfSame?: number
  /** Whether its texts have the colour of their row. */
  isToned?: boolean
}

const GAP = '  '
/** Columns above this number shrink no other one. */
const LAST_ESSENTIAL = 4
/** What columns that matter less leave to the last one, which says why a delivery failed. */
const MORE_FOR_LAST = 20
const REPLAY_MARK = '↻'

/** A column that is shown. */
interface Shown {
  at: number
  width: number
}

/** Lays out rows in columns, each of which is shown from its first text on. */
export class LiveTable {
  readonly #columns: readonly LiveColumn[]
  readonly #pens: Pens
  /** By position, the first text of a column that has one, and whether it has had others. */
  readonly #used = new Map<number, { text: string; differs: boolean }>()

  constructor(columns: readonly LiveColumn[], pens: Pens) {
    this.#columns = columns
    this.#pens = pens
  }

  /** Returns the line of the headers and one for each row. */
  lines(rows: readonly LiveRow[], width: number, selected?: string): string[] {
    for (const { tone, cells } of rows) if (tone !== 'note') this.#use(cells)
    const shown = this.#shown(width)
    const cells = shown.map(({ at, width: columns }) => this.#cut(rows, at, columns))
    const line = (mark: string, texts: readonly string[], penOf: (column: LiveColumn) => Pen | undefined) =>
      lineOf(
        shown.flatMap(({ at, width: columns }, index): Span[] => {
          const column = this.#columns[at] as LiveColumn
          const text = texts[index] ?? ''
          const isLast = at === this.#columns.length - 1
          return [
            [index === 0 ? mark : GAP],
            [isLast ? text : pad(text, columns, column.align), penOf(column)],
          ]
        }),
        width,
        this.#pens,
      )
    const lines = rows.map(({ key, tone, cells: texts, replayOf }, row) => {
      if (tone === 'note') return lineOf([[texts.map(textOf).join(GAP), 'dim']], width, this.#pens)
      const isSelected = key === selected
      const pen = tone && TONE_PENS[tone]
      const text = line(
        `${isSelected ? '›' : ' '}${replayOf === undefined ? ' ' : REPLAY_MARK}`,
        cells.map((column) => column[row] ?? ''),
        // A colour would be a block of its own in the inverted row.
        ({ isToned }) => (isToned && !isSelected ? pen : undefined),
      )
      return isSelected ? this.#pens.inverse(pad(text, width)) : text
    })
    const headers = shown.map(({ at, width: columns }) => {
      const { header = '', short = header } = this.#columns[at] ?? {}
      return (header.length > columns ? short : header).toUpperCase()
    })
    return [line(GAP, headers, () => 'bold'), ...lines]
  }

  /** Returns the text of the last column of a row if the terminal is too narrow for it. */
  hiddenNote({ cells, tone }: LiveRow, width: number): string {
    const text = tone === 'note' ? '' : textOf(cells[this.#columns.length - 1] ?? '')
    const shown = this.#shown(width)
    const last = shown.at(-1)
    const before = shown.slice(0, -1).reduce((sum, column) => sum + column.width + GAP.length, GAP.length)
    return last?.at === this.#columns.length - 1 && widthOf(text) <= width - before ? '' : text
  }

  /** Returns the headers of the columns that are not shown and in which a text is found, in lower case. */
  hiddenMatches(rows: readonly LiveRow[], width: number, wanted: string): string[] {
    const shown = new Set(this.#shown(width).map(({ at }) => at))
    return this.#columns.flatMap(({ header }, at) =>
      !shown.has(at) &&
      rows.some(
        ({ tone, cells }) =>
          tone !== 'note' &&
          textOf(cells[at] ?? '')
            .toLowerCase()
            .includes(wanted),
      )
        ? [header.toLowerCase()]
        : [],
    )
  }

  #use(cells: readonly Cell[]): void {
    for (const [at, cell] of cells.entries()) {
      const used = this.#used.get(at)
      const text = typeof cell === 'string' ? cell : ' '
      if (!used) {
        if (text !== '') this.#used.set(at, { text, differs: false })
      } else if (text !== used.text) used.differs = true
    }
  }

  /** Returns the texts of a column for each row: cut, so that different ones stay different if possible. */
  #cut(rows: readonly LiveRow[], at: number, width: number): string[] {
    const texts = rows.map(({ tone, cells }) => (tone === 'note' ? '' : textOf(cells[at] ?? '')))
    if (at === this.#columns.length - 1) return texts
    return cutTo(texts, width, 'apart')
  }

  /** Returns the columns that fit, and their widths. */
  #shown(width: number): Shown[] {
    const last = this.#columns.length - 1
    const drops = (at: number): number => {
      const { drops: number = 0, dropsIfSame = number } = this.#columns[at] ?? {}
      return this.#used.get(at)?.differs ? number : dropsIfSame
    }
    const byNeed = [...this.#used.keys()].sort((one, other) => drops(one) - drops(other) || one - other)
    const chosen: Shown[] = []
    /** What is left beside the least widths, and beside the full ones. */
    let [left, leftOfFull] = [width, width]
    for (const at of byNeed) {
      const { width: full = 0, least = full } = this.#columns[at] ?? {}
      const isEssential = drops(at) <= LAST_ESSENTIAL
      const isPreceded = chosen.some((column) => column.at === last)
      const more = isPreceded && !isEssential ? MORE_FOR_LAST : 0
      const fits = isEssential ? GAP.length + least <= left : GAP.length + full + more <= leftOfFull
      if (drops(at) > 0 && !fits) continue
      left -= GAP.length + least
      leftOfFull -= GAP.length + full
      chosen.push({ at, width: least })
    }
    for (const column of chosen) {
      const grown = Math.min(this.#columns[column.at]?.width ?? 0, column.width + Math.max(0, left))
      left -= grown - column.width
      column.width = grown
    }
    return chosen.sort((one, other) => one.at - other.at)
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
