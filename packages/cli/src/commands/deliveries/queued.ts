import type { DeliveryEntry } from '../../admin/delivery.ts'
import type { Context } from '../../context.ts'
import { tsvLine } from '../../output/table.ts'
import { deliveryColumns } from './columns.ts'

/** Tells of a delivery that was just queued: a sentence for people, its log line for pipes, the entry with `--json`. */
export async function showQueued(context: Context, entry: DeliveryEntry, sentence: string): Promise<void> {
  const { output, runtime } = context
  if (output.json) await output.document(entry)
  else if (!output.isTerminal)
    await output.line(tsvLine(entry, deliveryColumns(runtime.clock.now()), output.pens))
  output.note(sentence)
}
