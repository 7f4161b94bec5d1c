import type { DeliveryDetails, DeliveryEntry } from '../../admin/delivery.ts'
import { statusPen } from '../../output/colour.ts'
import type { Field } from '../../output/output.ts'
import type { Column } from '../../output/table.ts'
import { relativeTime, spanText } from '../../output/time.ts'

/** Columns of the delivery log. */
export function deliveryColumns(now: number): readonly Column<DeliveryEntry>[] {
  return [
    { header: 'Id', text: (entry) => entry.id },
    { header: 'Event', text: (entry) => entry.event },
    { header: 'Response', text: (entry) => String(entry.response_id ?? ''), align: 'right' },
    { header: 'Status', text: (entry) => entry.status, pen: (entry) => statusPen(entry.status) },
    { header: 'Http', text: (entry) => String(entry.http_status ?? ''), align: 'right' },
    { header: 'Attempts', text: (entry) => String(entry.attempts), align: 'right' },
    {
      header: 'Next',
      text: (entry) => (entry.next_attempt_at === null ? '' : relativeTime(entry.next_attempt_at, now)),
      plain: (entry) => entry.next_attempt_at ?? '',
    },
    {
      header: 'Created',
      text: (entry) => relativeTime(entry.created_at, now),
      plain: (entry) => entry.created_at,
    },
    { header: 'Note', text: (entry) => entry.note ?? '', shrinks: true },
  ]
}

/** Lines of one entry: its facts, then one line for each attempt. */
export function deliveryFields(entry: DeliveryDetails, now: number): readonly Field<DeliveryDetails>[] {
  const date = (timestamp: string | null, none: string): string =>
    timestamp === null ? none : `${relativeTime(timestamp, now)} (${timestamp})`
  const attempts = Array.isArray(entry.attempts) ? entry.attempts : []
  return [
    { name: 'id', label: 'Id', text: () => entry.id },
    { name: 'event', label: 'Event', text: () => entry.event },
    { name: 'status', label: 'Status', text: () => entry.status, pen: () => statusPen(entry.status) },
    {
      name: 'response_id',
      label: 'Response',
      text: () => String(entry.response_id ?? 'none'),
      plain: () => String(entry.response_id ?? ''),
    },
    {
      name: 'created_at',
      label: 'Created',
      text: () => date(entry.created_at, ''),
      plain: () => entry.created_at,
    },
    {
      name: 'next_attempt_at',
      label: 'Next try',
      text: () => date(entry.next_attempt_at, 'none'),
      plain: () => entry.next_attempt_at ?? '',
    },
    {
      name: 'http_status',
      label: 'Http',
      text: () => String(entry.http_status ?? 'no answer'),
      plain: () => String(entry.http_status ?? ''),
    },
    { name: 'receiver_answer', label: 'Answer', text: () => entry.receiver_answer ?? '' },
    { name: 'note', label: 'Note', text: () => entry.note ?? '' },
    ...attempts.map((attempt) => ({
      name: `attempt_${attempt.number}`,
      label: `Attempt ${attempt.number}`,
      text: () =>
        [
          attempt.started_at,
          attempt.http_status === null ? (attempt.error ?? 'no answer') : `HTTP ${attempt.http_status}`,
          `after ${spanText(attempt.duration_ms)}`,
        ].join(' · '),
    })),
    { name: 'payload', label: 'Payload', text: () => JSON.stringify(entry.payload) },
  ]
}
