import type { Output } from './output.ts'
import { type Column, tsvLine } from './table.ts'
import { safeLine } from './text-safety.ts'
import { fitted, pad, prepareWidths, widthOf } from './width.ts'

const GAP = '  '
/** Columns below which the last text is not cut: the terminal wraps it. */
const MIN_LAST = 10
const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+(Z|[+-]\d\d:\d\d)$/

/**
 * Prints rows one after another: in aligned columns on a terminal, one line each, tab-separated on a pipe. A column becomes wider
 * with its widest text so far; those that shrink have a quarter of the terminal at most, the last one has the rest. Times on a
 * terminal are to the second.
 */
export class RowPrinter<Row> {
  readonly #output: Output
  readonly #columns: readonly Column<Row>[]
  readonly #widths: number[]

  constructor(output: Output, columns: readonly Column<Row>[]) {
    this.#output = output
    this.#columns = columns
    this.#widths = columns.map(({ header }) => header.length)
  }

  async print(row: Row): Promise<void> {
    const output = this.#output
    if (!output.isTerminal) return await output.line(tsvLine(row, this.#columns, output.pens))
    const texts = this.#columns.map((column) =>
      safeLine((column.plain ?? column.text)(row)).replace(TIMESTAMP, '$1$2'),
    )
    await prepareWidths(texts)
    let left = output.width
    const cells = this.#columns.map((column, index) => {
      const text = texts[index] ?? ''
      const isLast = index === this.#columns.length - 1
      const cut = fitted(text, this.#limit(index, left) ?? Number.POSITIVE_INFINITY)
      const width = Math.max(this.#widths[index] ?? 0, widthOf(cut))
      this.#widths[index] = width
      left -= width + GAP.length
      const pen = column.pen?.(row)
      const painted = pen ? output.pens[pen](cut) : cut
      const space = pad('', width - widthOf(cut))
      return column.align === 'right' ? space + painted : isLast ? painted : painted + space
    })
    await output.line(cells.join(GAP).trimEnd())
  }

  /** Returns the width to which a cell is cut, undefined if it is not. `left`: the rest of the line. */
  #limit(index: number, left: number): number | undefined {
    if (index === this.#columns.length - 1) return left < MIN_LAST ? undefined : left
    return this.#columns[index]?.shrinks ? Math.floor(this.#output.width / 4) : undefined
  }
}
