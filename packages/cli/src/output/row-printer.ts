import type { Output } from './output.ts'
import { type Column, cellText, gridLines, type LiveColumn, layout, tsvLine } from './table.ts'
import { safeLine } from './text-safety.ts'
import { prepareWidths, widthOf, wrap } from './width.ts'

/** Start of what is below a line. */
const INDENT = '  '
const TIMESTAMP = /\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+(Z|[+-]\d\d:\d\d)$/

/**
 * Prints rows one after another: NDJSON with `--json`, tab-separated on a pipe, and on a terminal in the columns of the live view, below
 * a line of headers. A line stays: its time has its date.
 */
export class RowPrinter<Row> {
  readonly #output: Output
  readonly #columns: readonly Column<Row>[]
  readonly #live: readonly LiveColumn<Row>[]
  #last: Promise<void> = Promise.resolve()
  #hasHead = false

  /**
   * @param columns on a pipe
   * @param live columns of the live view, of which the first is the time
   */
  constructor(
    output: Output,
    columns: readonly Column<Row>[],
    [time, ...others]: readonly LiveColumn<Row>[],
    timeOf: (row: Row) => string | null,
  ) {
    this.#output = output
    this.#columns = columns
    const text = (row: Row): string => (timeOf(row) ?? '').replace(TIMESTAMP, '$1$2')
    this.#live = time ? [{ ...time, text, width: 20 }, ...others] : []
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
    const texts = this.#live.map(({ text, plain, isWhole }) =>
      safeLine(isWhole && plain ? plain(row) : cellText(text(row))),
    )
    await prepareWidths(texts)
    // The widths are those for any texts.
    const any = this.#live.map(() => ['one', 'another'])
    const shown = layout(this.#live, any, output.width)
    const isCut = (at: number): boolean =>
      !shown.some((one) => one.at === at && widthOf(texts[at] ?? '') <= one.width)
    const below = texts.filter((text, at) => this.#live[at]?.isWhole && text !== '' && isCut(at))
    const given = texts.map((text) => [below.includes(text) ? '' : text])
    const [head = '', line = ''] = gridLines(shown, given, ({ pen }) => pen?.(row), output)
    const more = below.flatMap((text) => wrap(text, output.width - INDENT.length)).map((one) => INDENT + one)
    await output.line([...(this.#hasHead ? [] : [head]), line, ...more].join('\n'))
    this.#hasHead = true
  }
}
