import type { Delivery, DeliveryDetails } from '../control/delivery.ts'
import { statusPen } from '../output/colour.ts'
import type { Field } from '../output/output.ts'
import type { Column } from '../output/table.ts'
import { relativeTime, spanText } from '../output/time.ts'

/** The members of a delivery, in the order of a CSV. */
export const DELIVERY_FIELDS = [
  'id',
  'event',
  'status',
  'response_id',
  'http_status',
  'error',
  'receiver_answer',
  'attempts',
  'next_attempt_at',
  'note',
  'created_at',
  'form_id',
  'webhook_id',
  'payload',
] as const satisfies readonly (keyof Delivery)[]

/** Returns the URL of the endpoint of a delivery, or '' if it is not known. */
export type UrlOf = (delivery: Delivery) => string

/** What the last attempt led to: the HTTP status, or else the class of the error, such as `refused`. */
export const resultOf = ({ http_status, error }: Delivery): string => String(http_status ?? error ?? '')

/** Columns of the delivery log. */
export function deliveryColumns(now: number, urlOf: UrlOf = () => ''): readonly Column<Delivery>[] {
  return [
    { header: 'Id', text: (delivery) => delivery.id },
    { header: 'Event', text: (delivery) => delivery.event, drops: true },
    { header: 'Response', text: (delivery) => String(delivery.response_id ?? ''), align: 'right' },
    { header: 'Status', text: (delivery) => delivery.status, pen: (delivery) => statusPen(delivery.status) },
    {
      header: 'HTTP',
      text: resultOf,
      plain: (delivery) => String(delivery.http_status ?? ''),
      align: 'right',
    },
    { header: 'Attempts', text: (delivery) => String(delivery.attempts), align: 'right' },
    {
      header: 'Next',
      text: (delivery) =>
        delivery.next_attempt_at === null ? '' : relativeTime(delivery.next_attempt_at, now),
      plain: (delivery) => delivery.next_attempt_at ?? '',
      drops: true,
    },
    {
      header: 'Created',
      text: (delivery) => relativeTime(delivery.created_at, now),
      plain: (delivery) => delivery.created_at,
    },
    { header: 'Note', text: (delivery) => delivery.note ?? '', shrinks: true, drops: true },
    // On a terminal it is in the column of the HTTP status.
    { header: 'Error', text: () => '', plain: (delivery) => delivery.error ?? '' },
    { header: 'Endpoint', text: urlOf, shrinks: true, drops: true },
  ]
}

/** Columns of a tail of the log on a terminal, where rows have no header. */
export const deliveryRowColumns = (urlOf: UrlOf): readonly Column<Delivery>[] => [
  { header: 'Created', text: (delivery) => delivery.created_at },
  { header: 'Status', text: (delivery) => delivery.status, pen: (delivery) => statusPen(delivery.status) },
  { header: 'HTTP', text: resultOf },
  { header: 'Sent', text: (delivery) => `${delivery.attempts}×` },
  { header: 'Event', text: (delivery) => delivery.event },
  {
    header: 'Response',
    text: (delivery) => (delivery.response_id === null ? '' : `response ${delivery.response_id}`),
  },
  { header: 'Id', text: (delivery) => delivery.id },
  {
    header: 'Next',
    // The first attempt starts at once.
    text: ({ next_attempt_at, attempts }) =>
      next_attempt_at === null || attempts === 0 ? '' : `next ${next_attempt_at}`,
  },
  { header: 'Note', text: (delivery) => delivery.note ?? '' },
  { header: 'Endpoint', text: urlOf },
]

/** Fields of one delivery: its properties, then one field per attempt. */
export function deliveryFields(
  delivery: DeliveryDetails,
  now: number,
  endpointUrl: string,
): readonly Field<DeliveryDetails>[] {
  const date = (timestamp: string | null, none: string): string =>
    timestamp === null ? none : `${relativeTime(timestamp, now)} (${timestamp})`
  const attempts = Array.isArray(delivery.attempts) ? delivery.attempts : []
  return [
    { name: 'id', label: 'Id', text: () => delivery.id },
    { name: 'event', label: 'Event', text: () => delivery.event },
    { name: 'status', label: 'Status', text: () => delivery.status, pen: () => statusPen(delivery.status) },
    {
      name: 'response_id',
      label: 'Response',
      text: () => String(delivery.response_id ?? 'none'),
      plain: () => String(delivery.response_id ?? ''),
    },
    {
      name: 'created_at',
      label: 'Created',
      text: () => date(delivery.created_at, ''),
      plain: () => delivery.created_at,
    },
    {
      name: 'next_attempt_at',
      label: 'Next attempt',
      text: () => date(delivery.next_attempt_at, 'none'),
      plain: () => delivery.next_attempt_at ?? '',
    },
    {
      name: 'http_status',
      label: 'HTTP',
      text: () => String(delivery.http_status ?? 'no response'),
      plain: () => String(delivery.http_status ?? ''),
    },
    {
      name: 'error',
      label: 'Error',
      text: () => delivery.error ?? 'none',
      plain: () => delivery.error ?? '',
    },
    { name: 'endpoint', label: 'Endpoint', text: () => endpointUrl },
    { name: 'receiver_answer', label: 'Response body', text: () => delivery.receiver_answer ?? '' },
    { name: 'note', label: 'Note', text: () => delivery.note ?? '' },
    ...attempts.map((attempt) => ({
      name: `attempt_${attempt.number}`,
      label: `Attempt ${attempt.number}`,
      text: () =>
        [
          attempt.started_at,
          attempt.http_status === null ? (attempt.error ?? 'no response') : `HTTP ${attempt.http_status}`,
          `after ${spanText(attempt.duration_ms)}`,
        ].join(' · '),
    })),
    {
      name: 'payload',
      label: 'Payload',
      text: () => JSON.stringify(delivery.payload, null, 2),
      plain: () => JSON.stringify(delivery.payload),
      keepsLines: true,
    },
  ]
}
