import { type Pens, TONE_PENS } from '../output/pens.ts'
import {
  type Cell,
  cellText,
  gridLines,
  type LiveColumn,
  layout,
  type Shown,
  spanLine,
} from '../output/table.ts'
import { widthOf } from '../output/width.ts'
import type { LiveRow } from './live-model.ts'

/** Columns of the marks before a row. */
const MARKS = 2
const REPLAY_MARK = '↻'
/** As in a picker. */
const SELECTED_MARK = '❯'

/** Lays out rows in columns, each of which is shown from its first text on. */
export class LiveTable {
  readonly #columns: readonly LiveColumn<never>[]
  readonly #pens: Pens
  /** Of each column, its first text twice, or two that differ. */
  readonly #seen: string[][]

  constructor(columns: readonly LiveColumn<never>[], pens: Pens) {
    this.#columns = columns
    this.#pens = pens
    this.#seen = columns.map(() => [])
  }

  /** Returns the line of the headers and one for each row. */
  lines(rows: readonly LiveRow[], width: number, selected?: string): string[] {
    const deliveries = rows.filter(({ tone }) => tone !== 'note')
    for (const { cells } of deliveries) this.#see(cells)
    const shown = this.#shown(width)
    const texts = this.#columns.map((_, at) => deliveries.map(({ cells }) => cellText(cells[at] ?? '')))
    const [head = '', ...lines] = gridLines(
      shown,
      texts,
      // Its texts have the colour of their row.
      ({ pen }, at) => {
        const { tone } = deliveries[at] ?? {}
        return pen && tone && tone !== 'note' ? TONE_PENS[tone] : undefined
      },
      { width: width - MARKS, pens: this.#pens },
    )
    const marked = rows.map(({ key, tone, cells, replayOf }) => {
      if (tone === 'note') return spanLine([[cellText(cells[0] ?? ''), 'dim']], width, this.#pens)
      const mark = key === selected ? this.#pens.cyan(SELECTED_MARK) : ' '
      return `${mark}${replayOf === undefined ? ' ' : REPLAY_MARK}${lines.shift()}`
    })
    return [' '.repeat(MARKS) + head, ...marked]
  }

  /** Returns the text of the last column of a row if the terminal is too narrow for it. */
  hiddenNote({ cells, tone }: LiveRow, width: number): string {
    const last = this.#columns.length - 1
    const text = tone === 'note' ? '' : cellText(cells[last] ?? '')
    const shown = this.#shown(width).find(({ at }) => at === last)
    return shown && widthOf(text) <= shown.width ? '' : text
  }

  #see(cells: readonly Cell[]): void {
    for (const [at, cell] of cells.entries()) {
      const seen = this.#seen[at] ?? []
      const text = typeof cell === 'string' ? cell : ' '
      if (seen.length > 0 && text !== seen[0]) seen[1] = text
      else if (seen.length === 0 && text !== '') seen.push(text, text)
    }
  }

  #shown(width: number): Shown<LiveColumn<never>>[] {
    return layout(this.#columns, this.#seen, width - MARKS)
  }
}
