import type { WebhookEndpoint } from '@formwire/contract'
import { statusPen } from '../output/colour.ts'
import type { Column, Field } from '../output/table.ts'
import { member, type Now, timeColumn, timeField } from './members.ts'

/** The members of an endpoint, in the order of a CSV. */
export const WEBHOOK_FIELDS = [
  'id',
  'url',
  'active',
  'created_at',
] as const satisfies readonly (keyof WebhookEndpoint)[]

const stateOf = ({ active }: WebhookEndpoint): string => (active ? 'active' : 'paused')

const STATE: Omit<Column<WebhookEndpoint>, 'name'> = {
  header: 'Status',
  text: stateOf,
  pen: (endpoint) => statusPen(stateOf(endpoint)),
}

/** Columns of a list of endpoints. */
export const webhookColumns = (now: Now): readonly Column<WebhookEndpoint>[] => [
  { ...member('id', 'Id'), align: 'right' },
  { ...member('url', 'URL'), shrinks: 'apart' },
  STATE,
  timeColumn('created_at', 'Created', now),
]

/** Fields of one endpoint. */
export const webhookFields = (now: Now): readonly Field<WebhookEndpoint>[] => [
  member('id', 'Id'),
  member('url', 'URL'),
  { ...member('active', ''), ...STATE },
  timeField('created_at', 'Created', now),
]
