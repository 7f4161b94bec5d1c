import type { Delivery } from '@formwire/contract/control'
import { explainError } from '@formwire/internal/attempt-errors'
import { computed, signal } from '@preact/signals'
import type { InputHTMLAttributes } from 'preact'
import { go, link, route } from '../../router.ts'
import { endpointById, formById } from '../../state/catalog.ts'
import { serverNow } from '../../state/clock.ts'
import { deliveryLog } from '../../state/deliveries.ts'
import { Button, Icon } from '../../ui/controls.tsx'
import { filterValue } from '../../ui/filters.tsx'
import { Attempts, HttpStatus, Line, Time } from '../../ui/values.tsx'
import { type Column, column, VirtualGrid } from '../../ui/virtual-grid.tsx'
import { noteText, outcomeText } from '../delivery/outcome.ts'
import { replayIdsOf } from '../delivery/replays.ts'
import { figuresOf, tallyText } from '../figures.ts'
import { SelectionBar } from './bulk-actions.tsx'
import { groupKey, groupPlaces, groupState, membersOf, type Rows, withoutCollapsed } from './groups.ts'
import { clearSelection, isSelected, selectAll, selectedOf, toggleSelected } from './selection.ts'
import { shortUrls } from './short-urls.ts'

const replayIds = computed(() => replayIdsOf(deliveryLog.list.value))

/** Keys of the groups of which only the first delivery is listed. */
const collapsed = signal<ReadonlySet<string>>(new Set())

/** Shows or hides the deliveries of the same response to other endpoints. */
function GroupToggle({ group }: { group: readonly Delivery[] }) {
  const key = groupKey(group)
  const isOpen = !collapsed.value.has(key)
  const toggle = () => {
    const keys = new Set(collapsed.peek())
    if (!keys.delete(key)) keys.add(key)
    collapsed.value = keys
  }
  return (
    <Button
      class={`group-toggle ${isOpen ? 'is-open' : ''}`}
      aria-expanded={isOpen}
      // The name of a collapsed group is its text.
      aria-label={isOpen ? `${group.length} endpoints` : undefined}
      title={`${group.length} endpoints: ${tallyText(figuresOf(group))}`}
      run={toggle}
    >
      {isOpen ? group.length : groupState(group)}
      <Icon name="down" />
    </Button>
  )
}

const Tick = (attributes: InputHTMLAttributes) => (
  <label class="select">
    <input type="checkbox" {...attributes} />
  </label>
)

function SelectAll({ list }: { list: readonly Delivery[] }) {
  const chosen = selectedOf(list).length
  return (
    <Tick
      aria-label={`Select all ${list.length} listed`}
      checked={chosen > 0 && chosen === list.length}
      indeterminate={chosen > 0 && chosen < list.length}
      onClick={() => (chosen === list.length ? clearSelection() : selectAll(list))}
    />
  )
}

/** Time until the next attempt. One that is due is in flight. */
function NextAttempt({ at }: { at: string }) {
  const isDue = Date.parse(at) <= (serverNow.value ?? 0)
  return <span class="muted next">{isDue ? 'in flight' : <Time at={at} isRelative />}</span>
}

/** Returns the rows of a list of deliveries: those of the same response together, collapsed ones left out. */
export const rowsOf = (list: readonly Delivery[]): Rows =>
  withoutCollapsed(list, groupPlaces(list), collapsed.value)

interface DeliveryTableProps {
  readonly list: readonly Delivery[]
  readonly rows: Rows
  readonly of?: number
  readonly openIndex?: number
}

/**
 * A table of deliveries, with the actions for those that are selected.
 *
 * @param list All of them, also those of collapsed groups.
 * @param of The endpoint of all of them: the table needs no column for it. @default undefined, several endpoints
 * @param openIndex Position of the delivery that is open beside the table. @default -1, none
 */
export function DeliveryTable({ list, rows, of, openIndex = -1 }: DeliveryTableProps) {
  const endpoints = endpointById.value
  const names = shortUrls([...new Set(list.map(({ webhook_id: id }) => endpoints.get(id)?.url ?? ''))])
  const query = of === undefined ? Object.fromEntries(route.value.query) : { webhook: of }
  const urlOf = (id: string) => link(['deliveries', id], query)
  const members = membersOf(rows, collapsed.value)
  const onSelect = (index: number, isRange: boolean) => toggleSelected(members, index, isRange)
  const marked = new Set(filterValue('marked').split(','))
  const isMarked = (group: readonly Delivery[] | undefined) =>
    group?.some(({ id }) => marked.has(id)) === true
  const columns: readonly Column<Delivery>[] = [
    {
      name: 'status',
      label: 'Status',
      head: () => <SelectAll list={list} />,
      width: '2.75rem',
      cell: ({ id, event, status }, index) => (
        <>
          <Tick
            tabIndex={-1}
            aria-label={`Select ${event} ${id}`}
            checked={isSelected(id)}
            onClick={({ shiftKey }) => onSelect(index, shiftKey)}
          />
          <span class={`dot ${status} ${isMarked(members[index]) ? 'marked' : ''}`} title={status}>
            <span class="off-screen">
              {status}
              {isMarked(members[index]) ? ', marked' : ''}
            </span>
          </span>
        </>
      ),
    },
    column(
      'what',
      'Form response',
      'minmax(13rem, 1.3fr)',
      ({ id, event, form_id: formId, response_id: responseId }, index) => {
        const place = rows.places[index]
        return (
          <>
            {place?.kind === 'inner' || place?.kind === 'last' ? (
              <span class="branch" aria-hidden="true" />
            ) : null}
            <a class="bar tight" href={urlOf(id)} tabIndex={-1}>
              <Line value={formById.value.get(formId)?.title ?? formId} />
              <span class="muted">{responseId === 0 ? 'example' : `#${responseId}`}</span>
            </a>
            {event === 'response.submitted' ? null : <span class="muted">{event}</span>}
            {replayIds.value.has(id) ? <span class="muted">replay</span> : null}
            {place?.kind === 'first' ? <GroupToggle group={place.group} /> : null}
          </>
        )
      },
    ),
    column('endpoint', 'Endpoint', 'minmax(7rem, 1fr)', ({ webhook_id: id }) => {
      const url = endpoints.get(id)?.url
      return (
        <bdi class="line" title={url}>
          {url === undefined ? `#${id}` : names.get(url)}
        </bdi>
      )
    }),
    column('result', 'Outcome', 'minmax(9rem, 1.2fr)', (delivery) => (
      <span
        class="bar outcome"
        title={`${explainError(delivery.error)}\n${noteText(delivery.note, false)}`.trim() || undefined}
      >
        {delivery.http_status === null ? null : <HttpStatus status={delivery.http_status} />}
        <bdi class={`line ${delivery.error === null ? 'muted' : ''}`}>{outcomeText(delivery)}</bdi>
      </span>
    )),
    column(
      'attempts',
      'Attempts',
      (tableRem) => (tableRem >= 66 ? '8.75rem' : '4.75rem'),
      (delivery) => (
        <>
          <Attempts delivery={delivery} />
          {delivery.next_attempt_at ? <NextAttempt at={delivery.next_attempt_at} /> : null}
        </>
      ),
    ),
    column('when', 'Created', '5.75rem', ({ created_at: at }) => <Time at={at} isRelative />),
  ]
  return (
    <>
      <VirtualGrid
        label={of === undefined ? 'Delivery log' : 'Deliveries of the endpoint'}
        class="deliveries"
        columns={of === undefined ? columns : columns.filter(({ name }) => name !== 'endpoint')}
        narrow={{
          columns: 'auto minmax(0, 1.4fr) minmax(0, 1fr) 5.5rem',
          areas: `"status what what when" "status result ${of === undefined ? 'endpoint' : 'result'} attempts"`,
        }}
        items={rows.list}
        keyOf={({ id }) => id}
        onOpen={({ id }) => go(urlOf(id))}
        onSelect={onSelect}
        openIndex={openIndex}
        startIndex={members.findIndex(isMarked)}
      />
      <SelectionBar list={list} />
    </>
  )
}
