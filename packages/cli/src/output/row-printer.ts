import type { Output } from './output.ts'
import { type Column, tsvLine } from './table.ts'
import { safeLine } from './text-safety.ts'
import { fitted, pad, prepareWidths, widthOf, wrap } from './width.ts'

const GAP = '  '
/** Start of the further lines of a row. */
const INDENT = '  '
/** Columns below which the last text has a line of its own. */
const MIN_LAST = 10
const TIMESTAMP = /\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+(Z|[+-]\d\d:\d\d)$/

/**
 * Prints rows one after another: in aligned columns on a terminal, tab-separated on a pipe. A column becomes wider with its widest
 * text so far; those that shrink have a quarter of the terminal at most. What does not fit on the line of a row continues on the
 * next one. The last text is cut if its column shrinks, else wrapped. Times on a terminal are to the second.
 */
export class RowPrinter<Row> {
  readonly #output: Output
  readonly #columns: readonly Column<Row>[]
  readonly #widths: number[]
  #last: Promise<void> = Promise.resolve()

  /** @param onTerminal columns on a terminal, where rows have no header. @default columns */
  constructor(output: Output, columns: readonly Column<Row>[], onTerminal: readonly Column<Row>[] = columns) {
    this.#output = output
    this.#columns = output.isTerminal ? onTerminal : columns
    this.#widths = this.#columns.map(({ header }) => header.length)
  }

  /** Prints a row after those before it. */
  async print(row: Row): Promise<void> {
    this.#last = this.#last.then(() => this.#print(row))
    await this.#last
  }

  async #print(row: Row): Promise<void> {
    const output = this.#output
    if (!output.isTerminal) return await output.line(tsvLine(row, this.#columns, output.pens))
    const texts = this.#columns.map((column) =>
      safeLine((column.plain ?? column.text)(row)).replace(TIMESTAMP, '$1$2'),
    )
    await prepareWidths(texts)
    await output.line(this.#lines(row, texts).join('\n'))
  }

  /** Returns the lines of a row. */
  #lines(row: Row, texts: readonly string[]): string[] {
    const { width: available, pens } = this.#output
    const lines: string[] = []
    let line = ''
    /** Columns of `line`. */
    let used = 0
    /** What separates the next cell from the one before. */
    let gap = ''
    const breakLine = (): void => {
      lines.push(line.trimEnd())
      line = INDENT
      used = INDENT.length
      gap = ''
    }
    for (const [index, column] of this.#columns.entries()) {
      const text = texts[index] ?? ''
      const pen = column.pen?.(row)
      const paint = pen ? pens[pen] : (plain: string): string => plain
      if (index === this.#columns.length - 1) {
        const left = available - used - gap.length
        if (widthOf(text) > left && (!column.shrinks || left < MIN_LAST)) breakLine()
        const [first = '', ...more] = column.shrinks
          ? [fitted(text, available - used - gap.length)]
          : wrap(text, available - INDENT.length)
        lines.push((line + gap + paint(first)).trimEnd(), ...more.map((one) => INDENT + paint(one)))
        continue
      }
      const cut = column.shrinks ? fitted(text, Math.floor(available / 4)) : text
      const width = Math.max(this.#widths[index] ?? 0, widthOf(cut))
      this.#widths[index] = width
      if (used + gap.length + width > available && gap !== '') {
        breakLine()
        if (cut === '') continue
      }
      const space = pad('', width - widthOf(cut))
      line += gap + (column.align === 'right' ? space + paint(cut) : paint(cut) + space)
      used += gap.length + width
      gap = GAP
    }
    return lines.filter((one, at) => at === 0 || one !== '')
  }
}
