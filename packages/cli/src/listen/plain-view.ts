import type { Context } from '../context.ts'
import { tsvLine } from '../output/table.ts'
import { RECEPTION_COLUMNS } from './columns.ts'
import type { ListenView } from './run.ts'

/** Deliveries as lines: tab-separated, or NDJSON with `--json`. */
export function showPlainly(context: Context): ListenView {
  const { output } = context
  return {
    show: (reception) =>
      output.json
        ? output.record(reception)
        : output.line(tsvLine(reception, RECEPTION_COLUMNS, output.pens)),
    quit: new Promise(() => undefined),
  }
}
