import type { Delivery } from '@formwire/contract/control'
import { computed, signal } from '@preact/signals'
import { duration } from '../../format.ts'
import { link, route } from '../../router.ts'
import { endpointById, formById } from '../../state/catalog.ts'
import { deliveryLog } from '../../state/deliveries.ts'
import { Attempts, Badge, Result } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Line } from '../../ui/text.tsx'
import { Due, Time } from '../../ui/time.tsx'
import { Cell } from '../../ui/virtual-grid.tsx'
import { explainError } from '../delivery/attempt-errors.ts'
import { replayIdsOf } from '../delivery/replays.ts'
import { groupKey, groupState, groupSummary, type Place } from './groups.ts'
import { isSelected } from './selection.ts'

export const COLUMNS = [
  { name: 'status', label: 'Status' },
  { name: 'what', label: 'Event' },
  { name: 'form', label: 'Form' },
  { name: 'endpoint', label: 'Endpoint' },
  { name: 'attempts', label: 'Attempts' },
  { name: 'result', label: 'Response' },
  { name: 'next', label: 'Next attempt' },
  { name: 'when', label: 'Created' },
]

const replayIds = computed(() => replayIdsOf(deliveryLog.list.value))

/** Keys of the groups of which only the first delivery is listed. */
export const collapsed = signal<ReadonlySet<string>>(new Set())

function toggle(key: string): void {
  const keys = new Set(collapsed.peek())
  if (!keys.delete(key)) keys.add(key)
  collapsed.value = keys
}

/** Shows or hides the deliveries of the same response to other endpoints. */
function GroupToggle({ group }: Pick<Place, 'group'>) {
  const key = groupKey(group)
  const isOpen = !collapsed.value.has(key)
  return (
    <button
      type="button"
      class={`group-toggle ${isOpen ? 'is-open' : ''}`}
      aria-expanded={isOpen}
      // The name of a collapsed group is its text.
      aria-label={isOpen ? `${group.length} endpoints` : undefined}
      title={`${group.length} endpoints: ${groupSummary(group)}`}
      onClick={() => toggle(key)}
    >
      {isOpen ? group.length : groupState(group)}
      <Icon name="down" />
    </button>
  )
}

/** URL of the endpoint without its scheme, or its id if the endpoint is not loaded. */
const endpointText = (endpointId: number): string =>
  endpointById.value.get(endpointId)?.url.replace(/^https?:\/\//, '') ?? `#${endpointId}`

/** The cells of a delivery. */
export function DeliveryRow({
  delivery,
  place,
  onSelect,
}: {
  delivery: Delivery
  place: Place
  onSelect: (isRange: boolean) => void
}) {
  const form = formById.value.get(delivery.form_id)
  const isBranch = place.kind === 'inner' || place.kind === 'last'
  return (
    <>
      <Cell name="status">
        <label class="select">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${delivery.event} ${delivery.id}`}
            checked={isSelected(delivery.id)}
            onClick={(event) => onSelect(event.shiftKey)}
          />
        </label>
        <Badge state={delivery.status} />
      </Cell>
      <Cell name={`what ${place.kind}`}>
        {isBranch ? <span class="branch" aria-hidden="true" /> : null}
        <a href={link(['deliveries', delivery.id], Object.fromEntries(route.value.query))} tabIndex={-1}>
          <Line value={delivery.event} />
        </a>
        <span class="muted">{delivery.response_id === 0 ? 'example' : `#${delivery.response_id}`}</span>
        {replayIds.value.has(delivery.id) ? <span class="muted">replay</span> : null}
        {place.kind === 'first' ? <GroupToggle group={place.group} /> : null}
      </Cell>
      <Cell name="form">
        <Line value={form?.title ?? delivery.form_id} />
      </Cell>
      <Cell name="endpoint">
        <Line value={endpointText(delivery.webhook_id)} />
      </Cell>
      <Cell name="attempts">
        <Attempts delivery={delivery} />
      </Cell>
      <Cell name="result">
        <Result
          status={delivery.http_status}
          error={delivery.error}
          explanation={explainError(delivery.error)}
        />
        {delivery.http_status === null || delivery.duration_ms === null ? null : (
          <span class="muted">{duration(delivery.duration_ms)}</span>
        )}
      </Cell>
      <Cell name="next">
        {delivery.next_attempt_at ? (
          <>
            <Time at={delivery.next_attempt_at} />{' '}
            <span class="muted">
              <Due at={delivery.next_attempt_at} />
            </span>
          </>
        ) : null}
      </Cell>
      <Cell name="when">
        <Time at={delivery.created_at} />
      </Cell>
    </>
  )
}
