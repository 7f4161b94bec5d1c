import type { GridMultipleValue, GridSingleValue } from '@formwire/contract'
import { type AnswerHandler, accepted, type Checked, isObject, refused, SKIPPED } from './handler.ts'
import type { Choice, Question } from './question.ts'

const labelOf = (choices: readonly Choice[] | undefined, id: string): string =>
  choices?.find((choice) => choice.id === id)?.label ?? id

/** Reads the cell of one row; `undefined` when the row was left empty. */
type ReadCell<Cell> = (columns: ReadonlySet<string>, cell: unknown) => Checked<Cell>

const readColumn: ReadCell<string> = (columns, cell) => {
  if (cell === null || cell === '') return SKIPPED
  if (typeof cell !== 'string' || !columns.has(cell))
    return refused('Choose one column in each row, by its id.')
  return accepted(cell)
}

const readColumns: ReadCell<string[]> = (columns, cell) => {
  if (cell === null) return SKIPPED
  if (!Array.isArray(cell)) return refused('Choose the columns of each row as a list of their ids.')
  const chosen = new Set<string>()
  for (const column of cell as readonly unknown[]) {
    if (typeof column !== 'string' || !columns.has(column))
      return refused('Choose from the columns of the question.')
    if (chosen.has(column)) return refused('Choose each column once in a row.')
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
  if (!isObject(value)) return refused('Answer with an object from row id to column.')
  const rows = question.rows ?? []
  const known = new Set(rows.map((row) => row.id))
  if (Object.keys(value).some((row) => !known.has(row)))
    return refused('Answer only the rows of the question.')
  const columns = new Set(question.columns?.map((column) => column.id))
  const cells: [string, Cell][] = []
  for (const row of rows) {
    if (!Object.hasOwn(value, row.id)) continue
    const cell = readCell(columns, value[row.id])
    if (!cell.ok) return cell
    if (cell.value !== undefined) cells.push([row.id, cell.value])
  }
  if (cells.length === 0) return SKIPPED
  if (question.required && cells.length < rows.length && !draft) return refused('Answer every row.')
  return accepted(Object.fromEntries(cells))
}

/** `Row: Column; Row: Column, Column`, rows in form order (RESP-07). */
function gridText(question: Question, value: GridSingleValue | GridMultipleValue): string {
  // Not in the order of the value's members: JavaScript puts those that look like numbers first.
  return (question.rows ?? [])
    .filter((row) => Object.hasOwn(value, row.id))
    .map((row) => {
      const columns = [value[row.id] ?? []].flat().map((column) => labelOf(question.columns, column))
      return `${row.label}: ${columns.join(', ')}`
    })
    .join('; ')
}

/** One column a row. When required, every row needs one. */
export const gridSingle: AnswerHandler<GridSingleValue> = {
  check: (question, value, { draft }) => checkGrid(question, value, draft, readColumn),
  text: gridText,
}

/** Any columns a row. When required, every row needs at least one. */
export const gridMultiple: AnswerHandler<GridMultipleValue> = {
  check: (question, value, { draft }) => checkGrid(question, value, draft, readColumns),
  text: gridText,
}
