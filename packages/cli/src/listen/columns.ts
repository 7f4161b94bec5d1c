import { LIVE, member, type Now } from '../columns/members.ts'
import { statusPen } from '../output/pens.ts'
import type { Column, LiveColumn } from '../output/table.ts'
import { dueText, tookText, utcTime } from '../output/time.ts'
import { noteOf, type ReceivedDelivery } from './received-delivery.ts'

const RESULT: Column<ReceivedDelivery> = {
  header: 'Result',
  text: ({ verified, problem }) => (verified ? 'verified' : (problem?.code ?? 'refused')),
  pen: ({ verified }) => statusPen(verified ? 'verified' : 'failed'),
}
/** The status of the response. */
export const ANSWERED: Column<ReceivedDelivery> = {
  ...member('answered', 'Status'),
  pen: ({ answered }) => statusPen(answered < 300 ? 'delivered' : 'failed'),
}
const NOTE: Column<ReceivedDelivery> = { header: 'Note', text: noteOf }

/** One line per delivery: time, event, delivery id, response id, result, response status, attempt, note. */
export const RECEIVED_COLUMNS: readonly Column<ReceivedDelivery>[] = [
  member('received_at', 'Received'),
  member('event', 'Event'),
  member('delivery_id', 'Delivery'),
  member('response_id', 'Response'),
  RESULT,
  ANSWERED,
  member('attempt', 'Attempt'),
  NOTE,
]

/** Columns of the live view. @param targetOf returns the URL of the handler of a form, if there are several handlers */
export const liveReceivedColumns = (
  now: Now,
  targetOf: (formId: string | null) => string | undefined,
): readonly LiveColumn<ReceivedDelivery>[] => [
  { ...LIVE.time, text: (received) => utcTime(received.received_at) },
  LIVE.form,
  {
    ...ANSWERED,
    header: 'Result',
    text: ({ answered, forwarded, problem }) =>
      problem?.code ?? (forwarded?.reason ? 'unreachable' : String(answered)),
    width: 14,
  },
  { ...LIVE.took, text: ({ forwarded }) => tookText(forwarded?.duration_ms) },
  {
    ...LIVE.next,
    // The next attempt has a row of its own.
    text: ({ next_attempt_at: next }) =>
      next === null ? '' : () => (Date.parse(next) > now() ? dueText(next, now()) : ''),
  },
  { header: 'Handler', text: (received) => targetOf(received.form_id) ?? '', width: 24, drops: 6 },
  { ...LIVE.response, text: ({ response_id: id }) => (id === 0 ? 'test' : String(id ?? '')) },
  { ...member('attempt', 'Attempt'), width: 7, align: 'right', drops: 8 },
  { ...member('delivery_id', 'Delivery'), width: 26, drops: 9, isWhole: true },
  { ...member('event', 'Event'), width: 18, drops: 10 },
  {
    header: 'Note',
    // The details have the rest, and so has a printed line.
    text: (received) => received.problem?.message ?? noteOf({ ...received, next_attempt_at: null }),
    plain: noteOf,
    width: 20,
    grows: true,
    drops: 7,
    isWhole: true,
  },
]
