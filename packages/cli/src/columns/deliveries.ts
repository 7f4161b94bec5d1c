import type { Delivery, DeliveryDetails } from '../control/delivery.ts'
import type { Endpoints } from '../control/endpoints.ts'
import { healthText } from '../control/health.ts'
import { jsonLines } from '../output/json-lines.ts'
import type { Column, Field } from '../output/table.ts'
import { spanText } from '../output/time.ts'
import { countMember, member, type Now, STATUS, timeColumn, timeField } from './members.ts'

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
export function deliveryColumns(now: Now, urlOf: UrlOf = () => ''): readonly Column<Delivery>[] {
  return [
    member('id', 'Id'),
    { ...member('event', 'Event'), drops: true },
    { ...member('response_id', 'Response'), align: 'right', drops: 'last' },
    STATUS,
    { ...member('http_status', 'HTTP'), text: resultOf, align: 'right' },
    { ...countMember('attempts', 'Attempts'), drops: 'last' },
    { ...timeColumn('next_attempt_at', 'Next', now), drops: true },
    timeColumn('created_at', 'Created', now),
    { ...member('note', 'Note'), shrinks: true, drops: true },
    // On a terminal it is in the column of the HTTP status.
    { ...member('error', 'Error'), text: () => '' },
    { header: 'Endpoint', text: urlOf, shrinks: 'apart', drops: true },
  ]
}

/** Columns of a tail of the log on a terminal, where rows have no header. */
export const deliveryRowColumns = (urlOf: UrlOf): readonly Column<Delivery>[] => [
  member('created_at', 'Created'),
  STATUS,
  { header: 'HTTP', text: resultOf },
  { header: 'Sent', text: ({ attempts }) => `${attempts}×` },
  member('event', 'Event'),
  { header: 'Response', text: ({ response_id: id }) => (id === null ? '' : `response ${id}`) },
  member('id', 'Id'),
  {
    header: 'Next',
    // The first attempt starts at once.
    text: ({ next_attempt_at: next, attempts }) => (next === null || attempts === 0 ? '' : `next ${next}`),
  },
  member('note', 'Note'),
  { header: 'Endpoint', text: urlOf },
]

/** Fields of one delivery: its properties, then one field per attempt. */
export function deliveryFields(
  delivery: DeliveryDetails,
  now: Now,
  endpoints: Pick<Endpoints, 'urlOf' | 'healthOf'>,
): readonly Field<DeliveryDetails>[] {
  const attempts = Array.isArray(delivery.attempts) ? delivery.attempts : []
  return [
    member('id', 'Id'),
    member('event', 'Event'),
    STATUS,
    member('response_id', 'Response', 'none'),
    timeField('created_at', 'Created', now),
    timeField('next_attempt_at', 'Next attempt', now),
    member('http_status', 'HTTP', 'no response'),
    member('error', 'Error', 'none'),
    {
      name: 'endpoint',
      header: 'Endpoint',
      text(of) {
        const health = endpoints.healthOf(of)
        return `${endpoints.urlOf(of)}${health ? ` (${healthText(health)})` : ''}`
      },
      plain: endpoints.urlOf,
    },
    member('receiver_answer', 'Response body'),
    member('note', 'Note'),
    ...attempts.map(({ number, started_at, http_status, error, duration_ms }) => ({
      name: `attempt_${number}`,
      header: `Attempt ${number}`,
      text: () => {
        const result = http_status === null ? (error ?? 'no response') : `HTTP ${http_status}`
        return `${started_at} · ${result} · after ${spanText(duration_ms)}`
      },
    })),
    {
      name: 'payload',
      header: 'Payload',
      text: ({ payload }) => JSON.stringify(payload, null, 2),
      plain: ({ payload }) => JSON.stringify(payload),
      lines: ({ payload }, width, pens) => jsonLines(payload, width, pens),
    },
  ]
}
