import type { Delivery } from '@formwire/contract/control'
import { computed, signal } from '@preact/signals'
import { duration } from '../../format.ts'
import { link, route } from '../../router.ts'
import { endpointText, formById } from '../../state/catalog.ts'
import { deliveryLog } from '../../state/deliveries.ts'
import { Button, Icon } from '../../ui/controls.tsx'
import { Attempts, Badge, Due, Line, Result, Time } from '../../ui/values.tsx'
import { type Column, VirtualGrid } from '../../ui/virtual-grid.tsx'
import { replayIdsOf } from '../delivery/replays.ts'
import {
  type GroupPlace,
  groupKey,
  groupPlaces,
  groupState,
  groupSummary,
  membersOf,
  type Rows,
  withoutCollapsed,
} from './groups.ts'
import { isSelected, toggleSelected } from './selection.ts'

const replayIds = computed(() => replayIdsOf(deliveryLog.list.value))

/** Keys of the groups of which only the first delivery is listed. */
const collapsed = signal<ReadonlySet<string>>(new Set())

function toggle(key: string): void {
  const keys = new Set(collapsed.peek())
  if (!keys.delete(key)) keys.add(key)
  collapsed.value = keys
}

/** Shows or hides the deliveries of the same response to other endpoints. */
function GroupToggle({ group }: Pick<GroupPlace, 'group'>) {
  const key = groupKey(group)
  const isOpen = !collapsed.value.has(key)
  return (
    <Button
      class={`group-toggle ${isOpen ? 'is-open' : ''}`}
      aria-expanded={isOpen}
      // The name of a collapsed group is its text.
      aria-label={isOpen ? `${group.length} endpoints` : undefined}
      title={`${group.length} endpoints: ${groupSummary(group)}`}
      run={() => toggle(key)}
    >
      {isOpen ? group.length : groupState(group)}
      <Icon name="down" />
    </Button>
  )
}

/**
 * The columns of a table of deliveries.
 *
 * @param placeOf Returns the place of a row in its group.
 * @param isOfEndpoint Whether all deliveries are of one endpoint, so that the table needs no column for it.
 */
function deliveryColumns(
  placeOf: (index: number) => GroupPlace,
  onSelect: (index: number, isRange: boolean) => void,
  isOfEndpoint: boolean,
): readonly Column<Delivery>[] {
  const columns: readonly Column<Delivery>[] = [
    {
      name: 'status',
      label: 'Status',
      width: '7.5rem',
      cell: ({ id, event, status }, index) => (
        <>
          <label class="select">
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Select ${event} ${id}`}
              checked={isSelected(id)}
              onClick={({ shiftKey }) => onSelect(index, shiftKey)}
            />
          </label>
          <Badge state={status} />
        </>
      ),
    },
    {
      name: 'what',
      label: 'Event',
      width: isOfEndpoint ? 'minmax(8.5rem, 1fr)' : 'minmax(13.5rem, 16.5rem)',
      cell: ({ id, event, response_id: responseId }, index) => {
        const { kind, group } = placeOf(index)
        return (
          <>
            {kind === 'inner' || kind === 'last' ? <span class="branch" aria-hidden="true" /> : null}
            <a href={link(['deliveries', id], Object.fromEntries(route.value.query))} tabIndex={-1}>
              <Line value={event} />
            </a>
            <span class="muted">{responseId === 0 ? 'example' : `#${responseId}`}</span>
            {replayIds.value.has(id) ? <span class="muted">replay</span> : null}
            {kind === 'first' ? <GroupToggle group={group} /> : null}
          </>
        )
      },
    },
    {
      name: 'form',
      label: 'Form',
      width: 'minmax(6rem, 1fr)',
      from: 74.75,
      cell: ({ form_id: id }) => <Line value={formById.value.get(id)?.title ?? id} />,
    },
    {
      name: 'endpoint',
      label: 'Endpoint',
      width: 'minmax(8rem, 1.8fr)',
      cell: ({ webhook_id: id }) => <Line value={endpointText(id)} />,
    },
    {
      name: 'attempts',
      label: 'Attempts',
      width: '4.5rem',
      cell: (delivery) => <Attempts delivery={delivery} />,
    },
    {
      name: 'result',
      label: 'Response',
      width: '7.75rem',
      cell: (delivery) => (
        <>
          <Result of={delivery} />
          {delivery.http_status === null ? null : (
            <span class="muted">{duration(delivery.duration_ms ?? 0)}</span>
          )}
        </>
      ),
    },
    {
      name: 'next',
      label: 'Next attempt',
      // Without the time until then in a table that is less wide.
      width: (tableRem) => (isOfEndpoint || tableRem >= 86 ? '13.25rem' : '6.75rem'),
      from: isOfEndpoint ? 0 : 72,
      cell: ({ next_attempt_at: at }) =>
        at ? (
          <>
            <Time at={at} />{' '}
            <span class="muted">
              <Due at={at} />
            </span>
          </>
        ) : null,
    },
    { name: 'when', label: 'Created', width: '6.75rem', cell: ({ created_at: at }) => <Time at={at} /> },
  ]
  return isOfEndpoint ? columns.filter(({ name }) => name !== 'form' && name !== 'endpoint') : columns
}

/** Returns the rows of a list of deliveries: those of the same response together, collapsed ones left out. */
export const rowsOf = (list: readonly Delivery[]): Rows =>
  withoutCollapsed(list, groupPlaces(list), collapsed.value)

/** A table of deliveries. */
export function DeliveryTable({
  rows,
  label,
  onOpen,
  openIndex = -1,
  isOfEndpoint = false,
}: {
  rows: Rows
  label: string
  onOpen: (id: string) => void
  /** Position of the delivery that is open beside the table. @default -1, none */
  openIndex?: number
  /** Whether all deliveries are of one endpoint. */
  isOfEndpoint?: boolean
}) {
  const { list, places } = rows
  const onSelect = (index: number, isRange: boolean) =>
    toggleSelected(membersOf(rows, collapsed.peek()), index, isRange)
  return (
    <VirtualGrid
      label={label}
      class={isOfEndpoint ? 'deliveries of-endpoint' : 'deliveries'}
      columns={deliveryColumns((index) => places[index] as GroupPlace, onSelect, isOfEndpoint)}
      narrow={{
        columns: 'minmax(0, 1fr) auto auto',
        areas: `"what what when" "${isOfEndpoint ? 'attempts' : 'endpoint'} result status"`,
      }}
      items={list}
      keyOf={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      onSelect={onSelect}
      openIndex={openIndex}
    />
  )
}
