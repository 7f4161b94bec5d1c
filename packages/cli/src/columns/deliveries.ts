import type { Delivery, DeliveryDetails } from '../control/client.ts'
import { type Endpoints, healthText } from '../control/endpoints.ts'
import { jsonLines } from '../output/long-text.ts'
import type { Column, Field, LiveColumn } from '../output/table.ts'
import { dueText, spanText, timeOrDate, tookText } from '../output/time.ts'
import { countMember, LIVE, member, type Now, STATUS, timeColumn, timeField } from './members.ts'

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
const resultOf = ({ http_status, error }: Delivery): string => String(http_status ?? error ?? '')

/** Columns of the delivery log. */
export function deliveryColumns(now: Now, urlOf: UrlOf = () => ''): readonly Column<Delivery>[] {
  return [
    member('id', 'Id'),
    { ...member('event', 'Event'), drops: 3, dropsIfSame: 5 },
    { ...member('response_id', 'Response'), short: 'Resp', shrinks: 5, align: 'right', drops: 1 },
    STATUS,
    { ...member('http_status', 'Result'), text: resultOf, align: 'right' },
    { ...countMember('attempts', 'Attempts'), drops: 1 },
    { ...timeColumn('next_attempt_at', 'Next', now), drops: 3, dropsIfSame: 5 },
    timeColumn('created_at', 'Created', now),
    { ...member('note', 'Note'), shrinks: 12, drops: 3, dropsIfSame: 5 },
    // On a terminal it is in the column of the HTTP status.
    { ...member('error', 'Error'), text: () => '' },
    { header: 'Endpoint', text: urlOf, shrinks: 'apart', drops: 3, dropsIfSame: 5 },
  ]
}

/** Columns of a live view. @param urlOf returns '' where there is only one endpoint */
export const liveDeliveryColumns = (now: Now, urlOf: UrlOf): readonly LiveColumn<Delivery>[] => [
  { ...LIVE.time, text: ({ created_at: at }) => timeOrDate(at, now()) },
  LIVE.form,
  { ...STATUS, width: 9 },
  { header: 'Result', text: resultOf, width: 8 },
  { ...LIVE.took, text: ({ duration_ms: ms }) => tookText(ms) },
  {
    ...LIVE.next,
    // The first attempt starts at once.
    text: ({ next_attempt_at: next, attempts }) =>
      next === null || attempts === 0 ? '' : () => dueText(next, now()),
  },
  {
    header: 'Endpoint',
    short: 'To',
    text: (delivery) => (urlOf(delivery) === '' ? '' : String(delivery.webhook_id)),
    width: 8,
    shrinks: 4,
    align: 'right',
    drops: 3,
    dropsIfSame: 6,
  },
  { ...LIVE.response, text: ({ response_id: id }) => (id === 0 ? 'test' : String(id)) },
  { ...countMember('attempts', 'Attempts'), width: 8, drops: 7 },
  { header: 'URL', text: urlOf, width: 24, drops: 9 },
  { ...member('id', 'Delivery'), width: 26, drops: 8, isWhole: true },
  { ...member('event', 'Event'), width: 18, drops: 11 },
  { ...member('note', 'Note'), width: 20, grows: true, drops: 10, isWhole: true },
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
    member('http_status', 'Result', 'no response'),
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
