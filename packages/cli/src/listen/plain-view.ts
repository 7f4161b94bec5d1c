import type { Context } from '../context.ts'
import { RowPrinter } from '../output/row-printer.ts'
import { RECEIVED_COLUMNS, RECEIVED_ROW_COLUMNS } from './columns.ts'
import type { ListenView } from './view.ts'

/** Prints deliveries as lines: in columns on a terminal, tab-separated on a pipe, NDJSON with `--json`. */
export function showPlainly(context: Context): ListenView {
  const { output } = context
  const rows = new RowPrinter(output, RECEIVED_COLUMNS, RECEIVED_ROW_COLUMNS)
  return {
    show: (received) => (output.json ? output.record(received) : rows.print(received)),
    quit: new Promise(() => undefined),
  }
}

/** Prints nothing. */
export function showNothing(): ListenView {
  return { show: () => undefined, quit: new Promise(() => undefined) }
}
