import { statusPen } from '../output/colour.ts'
import type { Column } from '../output/table.ts'
import { noteOf, type ReceivedDelivery } from './received-delivery.ts'

const result = (received: ReceivedDelivery): string =>
  received.verified ? 'verified' : (received.problem?.code ?? 'refused')

const resultPen = (received: ReceivedDelivery) => statusPen(received.verified ? 'verified' : 'failed')

/** Returns the pen of the response status. */
export const answeredPen = (received: ReceivedDelivery) =>
  statusPen(received.answered < 300 ? 'delivered' : 'failed')

/** One line per delivery: time, event, delivery id, response id, result, response status, attempt, note. */
export const RECEIVED_COLUMNS: readonly Column<ReceivedDelivery>[] = [
  { header: 'Received', text: (received) => received.received_at },
  { header: 'Event', text: (received) => received.event ?? '' },
  { header: 'Delivery', text: (received) => received.delivery_id ?? '' },
  { header: 'Response', text: (received) => String(received.response_id ?? ''), align: 'right' },
  { header: 'Result', text: result, pen: resultPen },
  {
    header: 'Status',
    text: (received) => String(received.answered),
    pen: answeredPen,
    align: 'right',
  },
  { header: 'Attempt', text: (received) => String(received.attempt ?? ''), align: 'right' },
  { header: 'Note', text: noteOf },
]

/** The same on a terminal, where rows have no header. */
export const RECEIVED_ROW_COLUMNS: readonly Column<ReceivedDelivery>[] = [
  { header: 'Received', text: (received) => received.received_at },
  { header: 'Result', text: result, pen: resultPen },
  { header: 'Status', text: (received) => String(received.answered), pen: answeredPen },
  { header: 'Event', text: (received) => received.event ?? '' },
  {
    header: 'Response',
    text: (received) => (received.response_id === null ? '' : `response ${received.response_id}`),
  },
  { header: 'Attempt', text: ({ attempt }) => (attempt === null ? '' : `attempt ${attempt}`) },
  { header: 'Delivery', text: (received) => received.delivery_id ?? '' },
  { header: 'Note', text: noteOf },
]
