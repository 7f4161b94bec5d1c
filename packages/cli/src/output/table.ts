import type { Pen, Pens } from './pens.ts'
import { safeLine, safeLines } from './text-safety.ts'
import { fitted, pad, widthOf, wrap } from './width.ts'

export interface ColumnLayout {
  /** Header of a list, shown in upper case on a terminal; label of a single item. */
  header: string
  /** Header if the column is narrower than the other one. */
  short?: string | undefined
  align?: 'left' | 'right' | undefined
  /** Width that no text changes. @default that of the widest text, or the header */
  width?: number | undefined
  /** Whether the column takes what the others leave. */
  grows?: boolean | undefined
  /** Width down to which the column shrinks; `apart`: only after others, and as far as its different texts stay different. */
  shrinks?: number | 'apart' | undefined
  /**
   * Whether a narrow terminal leaves the column out, unless there is space for it after those with a lower number: up to
   * {@link LAST_ESSENTIAL} once others have shrunk.
   */
  drops?: number | undefined
  /** As `drops`, while all rows have the same text: then the column tells nothing apart. */
  dropsIfSame?: number | undefined
}

export interface Column<Row, Text = string> extends ColumnLayout {
  /** Wire name. */
  name?: string | undefined
  /** Text on a terminal. */
  text(row: Row): Text
  /** Text on a pipe. @default text */
  plain?: ((row: Row) => string) | undefined
  pen?: ((row: Row) => Pen | undefined) | undefined
  /** Whether a card keeps the line breaks of the text. */
  keepsLines?: boolean | undefined
  /** Returns the lines of a card, without control characters. @default the text, wrapped */
  lines?: ((row: Row, width: number, pens: Pens) => readonly string[]) | undefined
}

/** A text of a row, or what returns it if it changes with time. */
export type Cell = string | (() => string)

/** Returns the text of a cell at this moment. */
export const cellText = (cell: Cell): string => (typeof cell === 'string' ? cell : cell())

/** A column of rows that come one after another, of a width that no row changes. */
export interface LiveColumn<Row> extends Column<Row, Cell> {
  width: number
  /**
   * Whether a printed line, which has no details to look at, has the text below it where its column has no room for it: that of a pipe,
   * if there is one.
   */
  isWhole?: boolean
}

/** One line of an item: `Title  Customer survey` on a terminal, `title<TAB>Customer survey` on a pipe. */
export interface Field<Item> extends Column<Item> {
  /** Name on a pipe, which is the wire name. */
  name: string
}

const GAP = '  '
/** Columns above this number shrink no other one. */
const LAST_ESSENTIAL = 4
/** What they leave to one that grows, which says why a delivery failed. */
const MORE_FOR_GROWING = 20
/** Minimum width of a column whose texts stay different. */
const APART_MIN = 12
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

/** A column that is shown, its place among all, and its width. */
export interface Shown<Layout extends ColumnLayout = ColumnLayout> {
  column: Layout
  at: number
  width: number
}

/** Returns the columns with a text that fit. @param texts of each column, of which two tell whether it has different ones */
export function layout<Layout extends ColumnLayout>(
  columns: readonly Layout[],
  texts: readonly (readonly string[])[],
  width: number,
): Shown<Layout>[] {
  const used = columns.flatMap((column, at) => {
    const all = texts[at] ?? []
    const { drops = 0, dropsIfSame = drops } = column
    const full = column.width ?? Math.max(widthOf(column.header), ...all.map(widthOf))
    const least = leastWidth(column, all, full)
    const need = all.length > 1 && new Set(all).size === 1 ? dropsIfSame : drops
    return all.some((text) => text !== '') ? [{ column, at, full, least, need, width: least }] : []
  })
  /** What is left beside the least widths, and beside the full ones. */
  let [left, leftOfFull] = [width + GAP.length, width + GAP.length]
  let reserve = 0
  /** The number of the last column that was left out: those to the right of it that have the same are left out, too. */
  let droppedNeed = 0
  const shown = used
    .sort((one, other) => one.need - other.need)
    .filter(({ column, full, least, need }) => {
      const isFitting =
        need <= LAST_ESSENTIAL ? GAP.length + least <= left : GAP.length + full + reserve <= leftOfFull
      if (need > 0 && (!isFitting || need === droppedNeed)) {
        droppedNeed = need
        return false
      }
      left -= GAP.length + least
      leftOfFull -= GAP.length + full
      if (column.grows) reserve = MORE_FOR_GROWING
      return true
    })
  // Free text is cut before what tells rows apart.
  const isFree = ({ column }: Shown): number => Number(!isApart(column))
  for (const one of shown.toSorted((one, other) => isFree(one) - isFree(other))) {
    const more = Math.max(0, Math.min(one.full - one.width, left))
    one.width += more
    left -= more
  }
  const growing = shown.find(({ column }) => column.grows)
  if (growing) growing.width += Math.max(0, left)
  return shown.sort((one, other) => one.at - other.at)
}

/** Whether the different texts of a column stay different where they are cut. */
const isApart = ({ shrinks, width, grows }: ColumnLayout): boolean =>
  shrinks === 'apart' || (width !== undefined && !grows)

/** Returns the width down to which a column shrinks. */
function leastWidth(
  { shrinks = Number.POSITIVE_INFINITY }: ColumnLayout,
  texts: readonly string[],
  full: number,
): number {
  if (shrinks !== 'apart') return Math.min(shrinks, full)
  let [low, high] = [Math.min(APART_MIN, full), full]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (areApart(cutApart(texts, middle), texts)) high = middle
    else low = middle + 1
  }
  return low
}

/** Cuts texts at their ends, or in the middle if different ones would look alike. */
function cutApart(texts: readonly string[], width: number): string[] {
  const atEnd = texts.map((text) => fitted(text, width))
  if (areApart(atEnd, texts)) return atEnd
  return texts.map((text) => {
    if (widthOf(text) <= width) return text
    const end = [...text].slice(-Math.floor(width / 2))
    while (widthOf(end.join('')) > Math.floor(width / 2)) end.shift()
    return fitted(text, Math.ceil(width / 2)) + end.join('')
  })
}

const areApart = (cut: readonly string[], texts: readonly string[]): boolean =>
  new Set(cut).size === new Set(texts).size

/** Returns the line of the headers, and one for each row. @param texts of all columns */
export function gridLines<Layout extends ColumnLayout>(
  shown: readonly Shown<Layout>[],
  texts: readonly (readonly string[])[],
  penOf: (column: Layout, row: number) => Pen | undefined,
  { width: available, pens }: TableStyle,
): string[] {
  const columns = shown.map(({ column, at, width }, index) => {
    const { header, short = header, align } = column
    const all = texts[at] ?? []
    const cut = isApart(column) ? cutApart(all, width) : all.map((text) => fitted(text, width))
    const head = fitted((widthOf(header) > width ? short : header).toUpperCase(), width)
    return [head, ...cut].map((text, line): Span[] => {
      const space = ' '.repeat(Math.max(0, width - widthOf(text)))
      const [before, after] = align === 'right' ? [space, ''] : ['', space]
      const pen = line === 0 ? 'bold' : penOf(column, line - 1)
      return [[(index === 0 ? '' : GAP) + before], [text, pen], [after]]
    })
  })
  const lines = Array.from({ length: 1 + (texts[0]?.length ?? 0) }, (_, line) =>
    columns.flatMap((column) => column[line] ?? []),
  )
  return lines.map((spans) => spanLine(spans, available, pens).trimEnd())
}

/** A text in one style. */
export type Span = readonly [text: string, pen?: Pen | undefined]

/** Returns the texts as one line, cut to the width. */
export function spanLine(spans: readonly Span[], width: number, pens: Pens): string {
  let left = width
  return spans
    .map(([text, pen]) => {
      const cut = fitted(text, left)
      left = cut === text ? left - widthOf(cut) : 0
      return pen && cut !== '' ? pens[pen](cut) : cut
    })
    .join('')
}

/** Returns the lines of a borderless table with an upper-case header, or of cards if the terminal is too narrow. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  style: TableStyle,
): string[] {
  const texts = columns.map((column) => rows.map((row) => safeLine(column.text(row))))
  const shown = layout(columns, texts, style.width)
  const width = shown.reduce((sum, one) => sum + one.width + GAP.length, -GAP.length)
  if (width > style.width) {
    const filled = columns.filter((_, at) => texts[at]?.some((text) => text !== ''))
    return cardLines(rows, filled, style)
  }
  return gridLines(shown, texts, (column, at) => column.pen?.(rows[at] as Row), style)
}

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
