import { deliveryColumns, liveDeliveryColumns } from '../../columns/deliveries.ts'
import type { Context } from '../../context.ts'
import type { Endpoints } from '../../control/endpoints.ts'
import type { FollowEvent } from '../../control/follow.ts'
import type { Output } from '../../output/output.ts'
import { RowPrinter } from '../../output/row-printer.ts'
import { OutageReport } from '../../polling/outage-report.ts'

/**
 * Prints a tail as lines: in columns on a terminal, tab-separated on a pipe, NDJSON with `--json`. Ends after `count` changes, if given.
 * `isQuiet`: prints only changes of the connection.
 */
export async function tailPlainly(
  context: Context,
  source: AsyncIterable<FollowEvent>,
  endpoints: Endpoints,
  count: number | undefined,
  isQuiet = false,
): Promise<void> {
  const { output } = context
  const { now } = context
  const columns = deliveryColumns(now, endpoints.urlOf)
  const live = liveDeliveryColumns(now, endpoints.urlOf)
  const rows = new RowPrinter(output, columns, live, ({ created_at: at }) => at)
  let shown = 0
  const watch = new OutageReport(output)
  for await (const event of source) {
    if (event.type === 'delivery') {
      if (!isQuiet) {
        if (!output.json) await endpoints.read(event.delivery)
        await rows.print(event.delivery)
      }
      shown += 1
      if (shown === count) return
    } else report(output, watch, event)
  }
}

/** Reports a change of the connection on stderr: an outage once when it begins and once when it ends. */
function report(
  output: Output,
  watch: OutageReport,
  event: Exclude<FollowEvent, { type: 'delivery' }>,
): void {
  if (event.type === 'lost') watch.lost(event.reason)
  else if (event.type === 'gap')
    output.announce('gap', 'some changes were missed: the server no longer has them')
  else if (event.type === 'reset') output.announce('reset', 'the server was reset')
  else if (event.again) watch.recovered()
  else output.note('waiting for deliveries (Ctrl-C to stop)', 'wait')
}
