import type { GridMultipleValue, GridSingleValue } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'
import { accepted } from '../result.ts'
import { type AnswerHandler, type Checked, refusedAnswer, SKIPPED, type TextStyle } from './handler.ts'
import type { Question } from './question.ts'

/** Validates the cell of one row; `undefined` for an empty row. */
type ReadCell<Cell> = (columns: ReadonlySet<string>, cell: unknown) => Checked<Cell>

const readColumn: ReadCell<string> = (columns, cell) => {
  if (cell === null || cell === '') return SKIPPED
  if (typeof cell !== 'string' || !columns.has(cell))
    return refusedAnswer('Choose one column in each row, by its id.')
  return accepted(cell)
}

const readColumns: ReadCell<string[]> = (columns, cell) => {
  if (cell === null) return SKIPPED
  if (!Array.isArray(cell)) return refusedAnswer('Choose the columns of each row as a list of their ids.')
  const chosen = new Set<string>()
  for (const column of cell as readonly unknown[]) {
    if (typeof column !== 'string' || !columns.has(column))
      return refusedAnswer('Choose from the columns of the question.')
    if (chosen.has(column)) return refusedAnswer('Choose each column once in a row.')
    chosen.add(column)
  }
  return chosen.size === 0 ? SKIPPED : accepted([...chosen])
}

function checkGrid<Cell>(
  question: Question,
  value: unknown,
  draft: boolean,
  readCell: ReadCell<Cell>,
): Checked<Record<string, Cell>> {
  if (!isObject(value)) return refusedAnswer('Answer with an object from row id to column.')
  const rows = question.rows ?? []
  const known = new Set(rows.map((row) => row.id))
  if (Object.keys(value).some((row) => !known.has(row)))
    return refusedAnswer('Answer only the rows of the question.')
  const columns = new Set(question.columns?.map((column) => column.id))
  const cells: [string, Cell][] = []
  for (const row of rows) {
    if (!Object.hasOwn(value, row.id)) continue
    const cell = readCell(columns, value[row.id])
    if (!cell.ok) return cell
    if (cell.value !== undefined) cells.push([row.id, cell.value])
  }
  if (cells.length === 0) return SKIPPED
  if (question.required && cells.length < rows.length && !draft) return refusedAnswer('Answer every row.')
  return accepted(Object.fromEntries(cells))
}

/** Separators of a grid's text: between rows, between a row and its columns, between columns. */
const GRID_SEPARATORS: Readonly<Record<TextStyle, readonly [string, string, string]>> = {
  default: ['; ', ': ', ', '],
  variant: ['\n', ' = ', ' + '],
}

/** `Row: Column; Row: Column, Column`, rows in form order (RESP-07). */
function gridText(question: Question, value: GridSingleValue | GridMultipleValue, style: TextStyle): string {
  const [betweenRows, afterRow, betweenColumns] = GRID_SEPARATORS[style]
  const labels = new Map(question.columns?.map(({ id, label }) => [id, label]))
  // Not in the order of the value's members: JavaScript puts keys that look like numbers first.
  return (question.rows ?? [])
    .filter((row) => Object.hasOwn(value, row.id))
    .map((row) => {
      const columns = [value[row.id] ?? []].flat().map((column) => labels.get(column) ?? column)
      return row.label + afterRow + columns.join(betweenColumns)
    })
    .join(betweenRows)
}

/** One column per row. A required question needs one in every row. */
export const gridSingle: AnswerHandler<GridSingleValue> = {
  shape: 'grid_single',
  check: (question, value, { draft }) => checkGrid(question, value, draft, readColumn),
  text: gridText,
}

/** Any columns per row. A required question needs at least one in every row. */
export const gridMultiple: AnswerHandler<GridMultipleValue> = {
  shape: 'grid_multiple',
  check: (question, value, { draft }) => checkGrid(question, value, draft, readColumns),
  text: gridText,
}
