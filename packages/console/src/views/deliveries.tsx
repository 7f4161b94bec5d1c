/** @jsxImportSource preact */
import type { Delivery } from '@formwire/contract/control'
import { go, link, route } from '../router.ts'
import { endpointById } from '../state/catalog.ts'
import { serverNow } from '../state/clock.ts'
import { deliveryLog, logs } from '../state/deliveries.ts'
import { Empty, Failed, Loading } from '../ui/empty.tsx'
import { neighboursOf } from '../ui/pane.tsx'
import { Stale } from '../ui/stale.tsx'
import { VirtualGrid } from '../ui/virtual-grid.tsx'
import { DeliveryPane } from './delivery/delivery-pane.tsx'
import { Heading } from './heading.tsx'
import { DeliveryFilters } from './log/delivery-filters.tsx'
import { COLUMNS, collapsed, DeliveryRow } from './log/delivery-row.tsx'
import { type Filter, filterDeliveries, filterOf } from './log/filter.ts'
import { groupPlaces, type Place, type Rows, withoutCollapsed } from './log/groups.ts'
import { NothingYet } from './log/nothing-yet.tsx'
import { ReplayFailed } from './log/replay-button.tsx'
import { Overview } from './overview/overview.tsx'
import { StreamBadge } from './stream-badge.tsx'

/** Returns the deliveries that match the filters. */
function filtered(all: readonly Delivery[], filter: Filter): readonly Delivery[] {
  // The clock is read only for a span of time: the list is not filtered again each second.
  const now = filter.since === '' ? 0 : (serverNow.value ?? 0)
  const urls = endpointById.value
  return filterDeliveries(all, filter, now, (id) => urls.get(id)?.url ?? '')
}

/** Returns the rows of a list of deliveries: those of the same response together, collapsed ones left out. */
export const rowsOf = (list: readonly Delivery[]): Rows =>
  withoutCollapsed(list, groupPlaces(list), collapsed.value)

/** A table of deliveries. */
export function DeliveryTable({
  rows: { list, places },
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
  return (
    <VirtualGrid
      label={label}
      class={isOfEndpoint ? 'deliveries of-endpoint' : 'deliveries'}
      columns={COLUMNS}
      count={list.length}
      keyOf={(index) => (list[index] as Delivery).id}
      row={(index) => <DeliveryRow delivery={list[index] as Delivery} place={places[index] as Place} />}
      onOpen={(index) => onOpen((list[index] as Delivery).id)}
      openIndex={openIndex}
    />
  )
}

/** The live delivery log of all endpoints, with the open delivery beside it. */
export function DeliveriesView() {
  const { path, query } = route.value
  const openId = path[1]
  const all = deliveryLog.list.value
  const list = filtered(all, filterOf(query))
  const rows = rowsOf(list)
  const openIndex = openId === undefined ? -1 : rows.list.findIndex(({ id }) => id === openId)
  const urlOf = (id: string) => link(['deliveries', id], Object.fromEntries(query))
  const urlAt = (index: number) => {
    const delivery = rows.list[index]
    return delivery && urlOf(delivery.id)
  }
  return (
    <>
      <Heading title="Deliveries" aside={<StreamBadge />} actions={<ReplayFailed list={list} />} />
      <DeliveryFilters shown={list} total={all.length} />
      <Stale of={[logs]} />
      <div class={`split ${openId ? 'is-open' : ''}`}>
        <div class="split-list">
          <Overview />
          {list.length > 0 ? (
            <DeliveryTable
              label="Delivery log"
              rows={rows}
              onOpen={(id) => go(urlOf(id))}
              openIndex={openIndex}
            />
          ) : logs.error.value ? (
            <Failed message={logs.error.value} onRetry={() => void logs.refresh()} />
          ) : all.length > 0 ? (
            <Empty title="No matching deliveries">
              Clear a filter, or <a href={link(['deliveries'])}>show all {all.length}</a>.
            </Empty>
          ) : logs.data.value ? (
            <NothingYet />
          ) : (
            <Loading what="the delivery log" />
          )}
        </div>
        {openId ? (
          <DeliveryPane id={openId} key={openId} neighbours={neighboursOf(openIndex, urlAt)} />
        ) : null}
      </div>
    </>
  )
}
