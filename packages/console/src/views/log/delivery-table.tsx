import type { Delivery } from '@formwire/contract/control'
import { explainError } from '@formwire/internal/attempt-errors'
import { computed } from '@preact/signals'
import type { InputHTMLAttributes } from 'preact'
import { withoutScheme } from '../../format.ts'
import { go, link, route } from '../../router.ts'
import { endpointById, formById } from '../../state/catalog.ts'
import { serverNow } from '../../state/clock.ts'
import { deliveryLog } from '../../state/deliveries.ts'
import { type Column, column, Grid } from '../../ui/grid.tsx'
import { Attempts, HttpStatus, Line, Time } from '../../ui/values.tsx'
import { noteText, outcomeText } from '../delivery/outcome.ts'
import { replayIdsOf } from '../delivery/replays.ts'
import {
  clearSelection,
  isSelected,
  SelectionBar,
  selectAll,
  selectedOf,
  toggleSelected,
} from './bulk-actions.tsx'

const replayIds = computed(() => replayIdsOf(deliveryLog.list.value))

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

interface DeliveryTableProps {
  readonly list: readonly Delivery[]
  readonly of?: number
  readonly openIndex?: number
}

/**
 * A table of deliveries, with the actions for those that are selected.
 *
 * @param of The endpoint of all of them: the table needs no column for it. @default undefined, several endpoints
 * @param openIndex Position of the delivery that is open beside the table. @default -1, none
 */
export function DeliveryTable({ list, of, openIndex = -1 }: DeliveryTableProps) {
  const endpoints = endpointById.value
  const query = of === undefined ? Object.fromEntries(route.value.query) : { webhook: of }
  const urlOf = (id: string) => link(['deliveries', id], query)
  const columns: readonly Column<Delivery>[] = [
    {
      name: 'status',
      label: 'Status',
      head: () => <SelectAll list={list} />,
      width: '2.75rem',
      cell: ({ id, event, status }) => (
        <>
          <Tick
            tabIndex={-1}
            aria-label={`Select ${event} ${id}`}
            checked={isSelected(id)}
            onClick={() => toggleSelected(id)}
          />
          <span class={`dot ${status}`} title={status}>
            <span class="off-screen">{status}</span>
          </span>
        </>
      ),
    },
    column(
      'what',
      'Form response',
      'minmax(13rem, 1.3fr)',
      ({ id, event, form_id: formId, response_id: responseId }) => (
        <>
          <a class="bar tight" href={urlOf(id)} tabIndex={-1}>
            <Line value={formById.value.get(formId)?.title ?? formId} />
            <span class="muted">{responseId === 0 ? 'example' : `#${responseId}`}</span>
          </a>
          {event === 'response.submitted' ? null : <span class="muted">{event}</span>}
          {replayIds.value.has(id) ? <span class="muted">replay</span> : null}
        </>
      ),
    ),
    column('endpoint', 'Endpoint', 'minmax(7rem, 1fr)', ({ webhook_id: id }) => {
      const url = endpoints.get(id)?.url
      return (
        <bdi class="line" title={url}>
          {url === undefined ? `#${id}` : withoutScheme(url)}
        </bdi>
      )
    }),
    column('result', 'Outcome', 'minmax(9rem, 1.2fr)', (delivery) => (
      <span
        class="bar"
        title={`${explainError(delivery.error)}\n${noteText(delivery.note, false)}`.trim() || undefined}
      >
        {delivery.http_status === null ? null : <HttpStatus status={delivery.http_status} />}
        <bdi class={`line ${delivery.error === null ? 'muted' : ''}`}>{outcomeText(delivery)}</bdi>
      </span>
    )),
    column('attempts', 'Attempts', '8.75rem', (delivery) => (
      <>
        <Attempts delivery={delivery} />
        {delivery.next_attempt_at ? <NextAttempt at={delivery.next_attempt_at} /> : null}
      </>
    )),
    column('when', 'Created', '5.75rem', ({ created_at: at }) => <Time at={at} isRelative />),
  ]
  return (
    <>
      <Grid
        label={of === undefined ? 'Delivery log' : 'Deliveries of the endpoint'}
        class="deliveries"
        columns={of === undefined ? columns : columns.filter(({ name }) => name !== 'endpoint')}
        narrow={{
          columns: 'auto minmax(0, 1.4fr) minmax(0, 1fr) 5.5rem',
          areas: `"status what what when" "status result ${of === undefined ? 'endpoint' : 'result'} attempts"`,
        }}
        items={list}
        keyOf={({ id }) => id}
        onOpen={({ id }) => go(urlOf(id))}
        onSelect={({ id }) => toggleSelected(id)}
        openIndex={openIndex}
      />
      <SelectionBar list={list} />
    </>
  )
}
