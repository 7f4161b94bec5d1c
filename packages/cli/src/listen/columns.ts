import { statusPen } from '../output/colour.ts'
import type { Column } from '../output/table.ts'
import { type Reception, remarkOf } from './reception.ts'

const verdict = (reception: Reception): string =>
  reception.verified ? 'verified' : (reception.problem?.code ?? 'refused')

/** One line a delivery: time, event, delivery id, response, verdict, answer, attempt, remark. */
export const RECEPTION_COLUMNS: readonly Column<Reception>[] = [
  { header: 'Received', text: (reception) => reception.received_at },
  { header: 'Event', text: (reception) => reception.event ?? '' },
  { header: 'Delivery', text: (reception) => reception.delivery_id ?? '' },
  { header: 'Response', text: (reception) => String(reception.response_id ?? ''), align: 'right' },
  {
    header: 'Verdict',
    text: verdict,
    pen: (reception) => statusPen(reception.verified ? 'verified' : 'failed'),
  },
  {
    header: 'Answered',
    text: (reception) => String(reception.answered),
    pen: (reception) => statusPen(reception.answered < 300 ? 'delivered' : 'failed'),
    align: 'right',
  },
  { header: 'Attempt', text: (reception) => String(reception.attempt ?? ''), align: 'right' },
  { header: 'Remark', text: remarkOf, shrinks: true },
]
