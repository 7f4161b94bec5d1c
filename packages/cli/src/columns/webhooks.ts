import type { WebhookEndpoint } from '@formwire/contract'
import type { EndpointHealth } from '@formwire/contract/control'
import { shortHealthText } from '../control/endpoints.ts'
import { statusPen } from '../output/pens.ts'
import type { Column, Field } from '../output/table.ts'
import { member, type Now, timeColumn, timeField } from './members.ts'

const stateOf = ({ active }: Pick<WebhookEndpoint, 'active'>): string => (active ? 'active' : 'paused')

/** Returns the health of an endpoint in words, or its status if the health is not known. */
export const stateText = (
  endpoint: Pick<WebhookEndpoint, 'active'>,
  health: EndpointHealth | undefined,
  now: number,
): string => (health ? shortHealthText(health, now) : stateOf(endpoint))

const STATE: Omit<Column<WebhookEndpoint>, 'name'> = {
  header: 'Status',
  text: stateOf,
  pen: (endpoint) => statusPen(stateOf(endpoint)),
}

/** Columns of a list of endpoints: with their health, as far as it is known, in place of the status that is part of it. */
export const webhookColumns = (
  now: Now,
  healths: ReadonlyMap<number, EndpointHealth> = new Map(),
): readonly Column<WebhookEndpoint>[] => [
  { ...member('id', 'Id'), align: 'right' },
  { ...member('url', 'URL'), shrinks: 'apart' },
  healths.size === 0 ? STATE : healthColumn(healths, now),
  { ...timeColumn('created_at', 'Created', now), ...(healths.size > 0 && { drops: 3, dropsIfSame: 5 }) },
]

const healthColumn = (healths: ReadonlyMap<number, EndpointHealth>, now: Now): Column<WebhookEndpoint> => ({
  header: 'Health',
  text: (endpoint) => stateText(endpoint, healths.get(endpoint.id), now()),
  pen: (endpoint) => statusPen(healths.get(endpoint.id)?.state ?? stateOf(endpoint)),
})

/** Fields of one endpoint. */
export const webhookFields = (now: Now): readonly Field<WebhookEndpoint>[] => [
  member('id', 'Id'),
  member('url', 'URL'),
  { ...member('active', ''), ...STATE },
  timeField('created_at', 'Created', now),
]

/** The members of an endpoint, in the order of a CSV. */
export const WEBHOOK_FIELDS = webhookFields(Date.now).map(({ name }) => name)
