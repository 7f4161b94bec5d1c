import { statusPen } from '../output/colour.ts'
import type { Column } from '../output/table.ts'
import { noteOf, type ReceivedDelivery } from './received-delivery.ts'

const result = (received: ReceivedDelivery): string =>
  received.verified ? 'verified' : (received.problem?.code ?? 'refused')

/** One line per delivery: time, event, delivery id, response id, result, response status, attempt, note. */
export const RECEIVED_COLUMNS: readonly Column<ReceivedDelivery>[] = [
  { header: 'Received', text: (received) => received.received_at },
  { header: 'Event', text: (received) => received.event ?? '' },
  { header: 'Delivery', text: (received) => received.delivery_id ?? '' },
  { header: 'Response', text: (received) => String(received.response_id ?? ''), align: 'right' },
  {
    header: 'Result',
    text: result,
    pen: (received) => statusPen(received.verified ? 'verified' : 'failed'),
  },
  {
    header: 'Status',
    text: (received) => String(received.answered),
    pen: (received) => statusPen(received.answered < 300 ? 'delivered' : 'failed'),
    align: 'right',
  },
  { header: 'Attempt', text: (received) => String(received.attempt ?? ''), align: 'right' },
  { header: 'Note', text: noteOf, shrinks: true },
]
