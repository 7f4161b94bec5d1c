import type { Pen, Pens } from './pens.ts'
import { safeLine, safeLines } from './text-safety.ts'
import { fitted, pad, widthOf, wrap } from './width.ts'

/** One column of a list. */
export interface Column<Row> {
  /** Wire name. */
  name?: string | undefined
  /** Header of a list, shown in upper case on a terminal; label of a single item. */
  header: string
  /** Text on a terminal. */
  text(row: Row): string
  /** Text on a pipe. @default text */
  plain?: ((row: Row) => string) | undefined
  pen?: ((row: Row) => Pen | undefined) | undefined
  align?: 'left' | 'right' | undefined
  /** Whether the column shrinks on a narrow terminal; `apart`: after others, and only as far as its different texts stay different. */
  shrinks?: boolean | 'apart' | undefined
  /**
   * Whether the column is omitted on a terminal that is too narrow for all, before the list is shown as cards: the last such one first,
   * and `last` ones after the others. One that is the same in every row is omitted before another is cut.
   */
  drops?: boolean | 'last' | undefined
  /** Whether a card keeps the line breaks of the text. */
  keepsLines?: boolean | undefined
  /** Returns the lines of a card, without control characters. @default the text, wrapped */
  lines?: ((row: Row, width: number, pens: Pens) => readonly string[]) | undefined
}

/** One line of an item: `Title  Customer survey` on a terminal, `title<TAB>Customer survey` on a pipe. */
export interface Field<Item> extends Column<Item> {
  /** Name on a pipe, which is the wire name. */
  name: string
}

const GAP = '  '
/** Minimum width of a shrinking column. If the table is still too wide, the list is shown as cards. */
const SHRUNK_MIN = 12
/** Minimum width of the text beside a label. */
const MIN_TEXT = 8

/** How rows are rendered on a terminal. */
export interface TableStyle {
  /** Columns of the terminal. */
  width: number
  pens: Pens
}

function painted<Row>(column: Column<Row>, row: Row, text: string, pens: Pens): string {
  const pen = column.pen?.(row)
  return pen ? pens[pen](text) : text
}

/** Returns the lines of a borderless table with an upper-case header, or of cards if the terminal is too narrow. */
export function tableLines<Row>(
  rows: readonly Row[],
  allColumns: readonly Column<Row>[],
  style: TableStyle,
): string[] {
  // Omit columns that are empty in every row.
  return fittingLines(
    rows,
    allColumns.filter((column) => rows.some((row) => column.text(row) !== '')),
    style,
  )
}

function fittingLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  style: TableStyle,
  cards: () => string[] = () => cardLines(rows, columns, style),
): string[] {
  const cells = rows.map((row) => columns.map((column) => safeLine(column.text(row))))
  const widths = columns.map((column, index) =>
    Math.max(widthOf(column.header), ...cells.map((line) => widthOf(line[index] ?? ''))),
  )
  const texts = columns.map((_, index) => cells.map((line) => line[index] ?? ''))
  const without = (dropped: Column<Row>): string[] =>
    fittingLines(
      rows,
      columns.filter((column) => column !== dropped),
      style,
      cards,
    )
  const same = columns.findLast(({ drops }, at) => drops === true && rows.length > 1 && isSame(texts[at]))
  if (same && tableWidth(widths) > style.width) return without(same)
  const shown = fitColumns(columns, texts, widths, style.width)
  if (!shown) {
    const dropped = columns.findLast(({ drops }) => drops === true) ?? columns.findLast(({ drops }) => drops)
    return dropped ? without(dropped) : cards()
  }
  const line = (texts: readonly string[], paint: (text: string, index: number) => string): string =>
    texts
      .map((cut, index) => {
        const width = widths[index] ?? 0
        const last = index === texts.length - 1
        const align = columns[index]?.align ?? 'left'
        const space = last && align === 'left' ? '' : pad('', width - widthOf(cut))
        return align === 'right' ? space + paint(cut, index) : paint(cut, index) + space
      })
      .join(GAP)
      .trimEnd()
  const header = line(
    columns.map((column) => column.header.toUpperCase()),
    (text) => style.pens.bold(text),
  )
  const body = rows.map((row, at) =>
    line(
      shown.map((column) => column[at] ?? ''),
      (text, index) => {
        const column = columns[index]
        return column ? painted(column, row, text, style.pens) : text
      },
    ),
  )
  return [header, ...body]
}

const isSame = (texts: readonly string[] = []): boolean => new Set(texts).size === 1

/** Returns the columns of a table on the terminal. */
const tableWidth = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1)

/** Returns the texts of each column, cut to fit the terminal together, and sets the widths; undefined if they cannot fit. */
function fitColumns(
  columns: readonly Pick<Column<never>, 'shrinks'>[],
  texts: readonly (readonly string[])[],
  widths: number[],
  available: number,
): string[][] | undefined {
  const excess = tableWidth(widths) - available
  const minimum = minWidths(columns, texts, widths)
  // Free text is cut before what tells rows apart.
  const free = minimum.map((least, at) => (columns[at]?.shrinks === 'apart' ? (widths[at] ?? 0) : least))
  if (shrink(widths, minimum, shrink(widths, free, excess)) > 0) return undefined
  return texts.map((all, index) => cutTo(all, widths[index] ?? 0, columns[index]?.shrinks))
}

/** Reduces the columns that are wider than their minimum by `excess` in total, widest first. Returns what is left of it. */
function shrink(widths: number[], minimum: readonly number[], excess: number): number {
  for (let left = excess; left > 0; left -= 1) {
    let widest = -1
    for (const [index, width] of widths.entries()) {
      if (width > (minimum[index] ?? 0) && width > (widths[widest] ?? 0)) widest = index
    }
    if (widest < 0) return left
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return 0
}

/** Returns the width down to which each column shrinks. */
function minWidths(
  columns: readonly Pick<Column<never>, 'shrinks'>[],
  texts: readonly (readonly string[])[],
  widths: readonly number[],
): number[] {
  return columns.map(({ shrinks }, index) => {
    const [all = [], width = 0] = [texts[index], widths[index]]
    if (!shrinks || width <= SHRUNK_MIN) return width
    if (shrinks !== 'apart') return SHRUNK_MIN
    let [low, high] = [SHRUNK_MIN, width]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (areApart(cutTo(all, middle, shrinks), all)) high = middle
      else low = middle + 1
    }
    return low
  })
}

/** Cuts the texts of a column at their ends, or in the middle if different ones would look alike. */
export function cutTo(texts: readonly string[], width: number, shrinks: Column<never>['shrinks']): string[] {
  const atEnd = texts.map((text) => fitted(text, width))
  if (shrinks !== 'apart' || areApart(atEnd, texts)) return atEnd
  return texts.map((text) => {
    if (widthOf(text) <= width) return text
    const end = [...text].slice(-Math.floor(width / 2))
    while (widthOf(end.join('')) > Math.floor(width / 2)) end.shift()
    return fitted(text, Math.ceil(width / 2)) + end.join('')
  })
}

const areApart = (cut: readonly string[], texts: readonly string[]): boolean =>
  new Set(cut).size === new Set(texts).size

/**
 * Returns one block of `Header  text` lines per row, separated by blank lines. Long texts wrap. Headers take a third of the
 * width at most; a longer one has lines of its own.
 */
export function cardLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  style: TableStyle,
): string[] {
  const headers = columns.map((column) => safeLine(column.header))
  const third = Math.floor(style.width / 3)
  const label = Math.max(0, ...headers.map(widthOf).filter((width) => width <= third))
  const indent = ' '.repeat(label + GAP.length)
  const textWidth = Math.max(MIN_TEXT, style.width - indent.length)
  return rows.flatMap((row, at) => {
    const block = columns.flatMap((column, index) => {
      const header = headers[index] ?? ''
      const fits = widthOf(header) <= label
      const texts =
        column.lines?.(row, textWidth, style.pens) ??
        textLines(column, row, textWidth).map((text) => painted(column, row, text, style.pens))
      const lines = texts.map((text, line) => {
        const head = line === 0 && fits ? style.pens.dim(pad(header, label)) + GAP : indent
        return `${head}${text}`.trimEnd()
      })
      return fits ? lines : [...wrap(header, style.width).map((line) => style.pens.dim(line)), ...lines]
    })
    return at === 0 ? block : ['', ...block]
  })
}

function textLines<Row>(column: Column<Row>, row: Row, width: number): string[] {
  const text = column.text(row)
  if (!column.keepsLines) return wrap(safeLine(text), width)
  return safeLines(text)
    .trim()
    .split('\n')
    .flatMap((line) => {
      const indent = line.slice(0, Math.min(line.search(/[^ ]|$/), Math.floor(width / 2)))
      return wrap(line.trimStart(), width - indent.length).map((part) => indent + part)
    })
}

/** Returns one row as tab-separated text, for scripts. */
export function tsvLine<Row>(row: Row, columns: readonly Column<Row>[], pens: Pens): string {
  return columns
    .map((column) => painted(column, row, safeLine((column.plain ?? column.text)(row)), pens))
    .join('\t')
}
