import type { Context } from '../context.ts'
import { tsvLine } from '../output/table.ts'
import { RECEIVED_COLUMNS } from './columns.ts'
import type { ListenView } from './view.ts'

/** Prints deliveries as lines: tab-separated, or NDJSON with `--json`. */
export function showPlainly(context: Context): ListenView {
  const { output } = context
  return {
    show: (received) =>
      output.json ? output.record(received) : output.line(tsvLine(received, RECEIVED_COLUMNS, output.pens)),
    quit: new Promise(() => undefined),
  }
}

/** Prints nothing. */
export function showNothing(): ListenView {
  return { show: () => undefined, quit: new Promise(() => undefined) }
}
