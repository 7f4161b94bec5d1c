import type { Output } from './output.ts'
import { type Column, gridLines, layout, tsvLine } from './table.ts'
import { safeLine } from './text-safety.ts'
import { prepareWidths, widthOf, wrap } from './width.ts'

const GAP = '  '
/** Start of the further lines of a row. */
const INDENT = '  '
const TIMESTAMP = /\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+(Z|[+-]\d\d:\d\d)$/

/** Returns a timestamp, alone or at the end of a text, without parts of a second. */
export const toSeconds = (text: string): string => text.replace(TIMESTAMP, '$1$2')

/**
 * Prints rows one after another: NDJSON with `--json`, tab-separated on a pipe, and on a terminal below a line of headers if the columns
 * have widths. Without widths, each column grows to its widest text so far, what does not fit continues on the next line, and times are
 * to the second.
 */
export class RowPrinter<Row> {
  readonly #output: Output
  readonly #columns: readonly Column<Row>[]
  readonly #widths: number[]
  #last: Promise<void> = Promise.resolve()
  #hasHead = false

  /** @param onTerminal columns on a terminal */
  constructor(output: Output, columns: readonly Column<Row>[], onTerminal: readonly Column<Row>[]) {
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
    if (output.json) return await output.record(row)
    if (!output.isTerminal) return await output.line(tsvLine(row, this.#columns, output.pens))
    const texts = this.#columns.map((column) => safeLine(column.text(row)))
    await prepareWidths(texts)
    const isTable = this.#columns.some(({ width }) => width !== undefined)
    await output.line((isTable ? this.#below(row, texts) : this.#flowing(row, texts)).join('\n'))
  }

  /** Returns the line of a row, after that of the headers if it is the first. */
  #below(row: Row, texts: readonly string[]): string[] {
    // The widths are those for any texts.
    const any = this.#columns.map(() => ['one', 'another'])
    const shown = layout(this.#columns, any, this.#output.width)
    const given = texts.map((text) => [text])
    const lines = gridLines(shown, given, ({ pen }) => pen?.(row), this.#output)
    const isFirst = !this.#hasHead
    this.#hasHead = true
    return lines.slice(isFirst ? 0 : 1)
  }

  /** Returns the lines that the texts of a row take. */
  #flowing(row: Row, texts: readonly string[]): string[] {
    const { width: available, pens } = this.#output
    const lines: string[][] = []
    let line: string[] = []
    let left = available
    for (const [index, column] of this.#columns.entries()) {
      const text = toSeconds(texts[index] ?? '')
      const isLast = index === this.#columns.length - 1
      const width = Math.max(isLast ? 0 : (this.#widths[index] ?? 0), widthOf(text))
      this.#widths[index] = width
      if (line.length > 0 && GAP.length + width > left) {
        lines.push(line)
        line = []
        left = available - INDENT.length
        if (text === '') continue
      }
      left -= line.length > 0 ? GAP.length + width : width
      const pen = column.pen?.(row)
      const parts = (isLast ? wrap(text, available - INDENT.length) : [text]).map(
        (part) => (pen ? pens[pen](part) : part) + ' '.repeat(isLast ? 0 : width - widthOf(part)),
      )
      const [first = '', ...more] = parts
      line.push(first)
      for (const part of more) {
        lines.push(line)
        line = [part]
      }
    }
    return [...lines, line]
      .map((cells, at) => ((at === 0 ? '' : INDENT) + cells.join(GAP)).trimEnd())
      .filter((text, at) => at === 0 || text !== '')
  }
}
