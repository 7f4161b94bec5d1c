import type { ReceiverCheckResult } from '@formwire/webhook-verify/testing'
import type { Pen } from '../output/pens.ts'
import type { Column } from '../output/table.ts'

/** The columns of `receiver check`. The sentence about a failed check is below the table on a terminal. */
export const RECEIVER_CHECK_COLUMNS: readonly Column<ReceiverCheckResult>[] = [
  { header: 'check', text: ({ name }) => name },
  { header: 'expected', text: ({ expected }) => expected },
  { header: 'seen', text: seen },
  { header: 'verdict', text: verdict, pen: penOf },
  { header: 'hint', text: () => '', plain: ({ hint }) => hint ?? '' },
]

function seen({ status, passed }: ReceiverCheckResult): string {
  if (passed === null) return '-'
  return status === null ? 'no response' : String(status)
}

/** The verdict on one check. */
export function verdict({ passed, required }: ReceiverCheckResult): string {
  if (passed === null) return 'skipped'
  if (passed) return 'passed'
  return required ? 'failed' : 'failed (not required)'
}

function penOf({ passed, required }: ReceiverCheckResult): Pen {
  if (passed === null) return 'dim'
  if (passed) return 'green'
  return required ? 'red' : 'yellow'
}
