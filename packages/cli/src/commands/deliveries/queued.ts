import { deliveryColumns } from '../../columns/deliveries.ts'
import type { Context } from '../../context.ts'
import type { Delivery } from '../../control/delivery.ts'
import { tsvLine } from '../../output/table.ts'

/** Reports a delivery that was just queued: a note on a terminal, its log line on a pipe, the delivery with `--json`. */
export async function showQueued(context: Context, delivery: Delivery, note: string): Promise<void> {
  const { output, runtime } = context
  if (output.json) await output.document(delivery)
  else if (!output.isTerminal)
    await output.line(tsvLine(delivery, deliveryColumns(runtime.clock.now()), output.pens))
  output.note(note)
}
