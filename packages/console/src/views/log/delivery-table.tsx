import { explainError } from '@formwire/internal/attempt-errors'
import { urlOf as parsed } from '@formwire/internal/url'
import type { InputHTMLAttributes } from 'preact'
import { useEffect } from 'preact/hooks'
import { go, link, route } from '../../router.ts'
import { endpointById, formById } from '../../state/catalog.ts'
import { serverNow } from '../../state/clock.ts'
import type { ListedDelivery } from '../../state/deliveries.ts'
import { type Column, column, Grid } from '../../ui/grid.tsx'
import { Attempts, Line, Result, Time } from '../../ui/values.tsx'
import { noteText, outcomeText } from '../delivery/outcome.ts'
import { clearSelection, isSelected, SelectionBar, selectAll, toggleSelected } from './bulk-actions.tsx'

const Tick = (attributes: InputHTMLAttributes) => (
  <label class="select">
    <input type="checkbox" {...attributes} />
  </label>
)

function SelectAll({ list }: { list: readonly ListedDelivery[] }) {
  const chosen = list.filter(({ id }) => isSelected(id)).length
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

/** An endpoint by its host, which is muted, and its path. */
function Host({ id }: { id: number }) {
  const url = endpointById.value.get(id)?.url
  const { host, pathname, search } = (url !== undefined && parsed(url)) || {}
  return (
    <bdi class="line" title={url}>
      {host === undefined ? (url ?? `#${id}`) : <span class="muted">{host}</span>}
      {pathname}
      {search}
    </bdi>
  )
}

/** Why a delivery failed, or how long it took: one notation for all. */
const Outcome = ({ of }: { of: ListedDelivery }) => (
  <span class="bar" title={`${explainError(of.error)}\n${noteText(of.note, false)}`.trim() || undefined}>
    {of.attempts === 0 ? null : <Result of={of} />}
    <bdi class={`line ${of.error === null ? 'muted' : ''}`}>{outcomeText(of)}</bdi>
  </span>
)

const responseText = ({ response_id: id }: ListedDelivery) => (id === 0 ? 'example' : `#${id}`)

interface DeliveryTableProps {
  readonly list: readonly ListedDelivery[]
  readonly of?: number
  readonly openIndex?: number
  readonly isOpen?: boolean
  readonly onMore?: (() => void) | undefined
}

/** What rows have beside an open delivery: what is needed to choose another one. */
const BESIDE_OPEN = ['status', 'result', 'response', 'when']

/**
 * A table of deliveries, with the actions for those that are selected.
 *
 * @param of The endpoint of all of them: the table needs no column for it. @default undefined, several endpoints
 * @param openIndex Position of the delivery that is open beside the table. @default -1, none
 * @param isOpen Whether a delivery is open, listed or not. @default false
 * @param onMore Loads more, if there are.
 */
export function DeliveryTable({ list, of, openIndex = -1, isOpen = false, onMore }: DeliveryTableProps) {
  // With other filters, it is another table.
  useEffect(() => clearSelection, [])
  const query = of === undefined ? Object.fromEntries(route.value.query) : { webhook: of }
  const urlOf = (id: string) => link(['deliveries', id], query)
  const columns: readonly Column<ListedDelivery>[] = [
    {
      name: 'status',
      label: 'Status',
      head: () => <SelectAll list={list} />,
      width: '2.75rem',
      cell: (one) => (
        <>
          <Tick
            tabIndex={-1}
            aria-label={`Select ${one.event} ${one.id}`}
            checked={isSelected(one.id)}
            onClick={() => toggleSelected(one)}
          />
          <span class={`dot ${one.status}`} title={one.status}>
            <span class="off-screen">{one.status}</span>
          </span>
        </>
      ),
    },
    column('what', 'Form response', 'minmax(13rem, 1.3fr)', (delivery) => (
      <>
        <a class="bar tight" href={urlOf(delivery.id)} tabIndex={-1}>
          <Line value={formById.value.get(delivery.form_id)?.title ?? delivery.form_id} />
          <span class="muted">{responseText(delivery)}</span>
        </a>
        {delivery.event === 'response.submitted' ? null : <span class="muted">{delivery.event}</span>}
        {delivery.is_replay ? <span class="muted">replay</span> : null}
      </>
    )),
    column('endpoint', 'Endpoint', 'minmax(7rem, 1fr)', ({ webhook_id: id }) => <Host id={id} />),
    column('result', 'Outcome', 'minmax(9rem, 1.2fr)', (delivery) => <Outcome of={delivery} />),
    column('response', 'Response', '7rem', (delivery) => (
      <>
        <a href={urlOf(delivery.id)} tabIndex={-1}>
          {responseText(delivery)}
        </a>
        {delivery.is_replay ? <span class="muted">replay</span> : null}
      </>
    )),
    column('attempts', 'Attempts', '8.75rem', (delivery) => (
      <>
        {delivery.attempts > 1 || delivery.error !== null ? <Attempts delivery={delivery} /> : null}
        {delivery.next_attempt_at ? <NextAttempt at={delivery.next_attempt_at} /> : null}
      </>
    )),
    column('when', 'Created', '5.75rem', ({ created_at: at }) => <Time at={at} isRelative />),
  ]
  const left = ['response', of === undefined ? '' : 'endpoint']
  return (
    <>
      <Grid
        label={of === undefined ? 'Delivery log' : 'Deliveries of the endpoint'}
        class="deliveries"
        columns={columns.filter(({ name }) => (isOpen ? BESIDE_OPEN.includes(name) : !left.includes(name)))}
        narrow={{
          ...(isOpen && { belowRem: 28 }),
          columns: 'auto minmax(0, 1.4fr) minmax(0, 1fr) 5.5rem',
          areas: `"status what what when" "status result ${of === undefined ? 'endpoint' : 'result'} attempts"`,
        }}
        items={list}
        keyOf={({ id }) => id}
        onOpen={({ id }) => go(urlOf(id))}
        onSelect={toggleSelected}
        openIndex={openIndex}
        onMore={onMore}
      />
      <SelectionBar list={list} />
    </>
  )
}
