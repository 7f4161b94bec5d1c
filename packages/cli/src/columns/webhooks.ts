import type { WebhookEndpoint } from '@formwire/contract'
import { statusPen } from '../output/colour.ts'
import type { Field } from '../output/output.ts'
import type { Column } from '../output/table.ts'
import { relativeTime } from '../output/time.ts'

/** The members of an endpoint, in the order of a CSV. */
export const WEBHOOK_FIELDS = [
  'id',
  'url',
  'active',
  'created_at',
] as const satisfies readonly (keyof WebhookEndpoint)[]

const stateOf = (endpoint: WebhookEndpoint): string => (endpoint.active ? 'active' : 'paused')

/** Columns of a list of endpoints. */
export function webhookColumns(now: number): readonly Column<WebhookEndpoint>[] {
  return [
    { header: 'Id', text: (endpoint) => String(endpoint.id), align: 'right' },
    { header: 'URL', text: (endpoint) => endpoint.url, shrinks: true },
    { header: 'Status', text: stateOf, pen: (endpoint) => statusPen(stateOf(endpoint)) },
    {
      header: 'Created',
      text: (endpoint) => relativeTime(endpoint.created_at, now),
      plain: (endpoint) => endpoint.created_at,
    },
  ]
}

/** Fields of one endpoint. */
export function webhookFields(now: number): readonly Field<WebhookEndpoint>[] {
  return [
    { name: 'id', label: 'Id', text: (endpoint) => String(endpoint.id) },
    { name: 'url', label: 'URL', text: (endpoint) => endpoint.url },
    {
      name: 'active',
      label: 'Status',
      text: stateOf,
      plain: (endpoint) => String(endpoint.active),
      pen: (endpoint) => statusPen(stateOf(endpoint)),
    },
    {
      name: 'created_at',
      label: 'Created',
      text: (endpoint) => `${relativeTime(endpoint.created_at, now)} (${endpoint.created_at})`,
      plain: (endpoint) => endpoint.created_at,
    },
  ]
}
