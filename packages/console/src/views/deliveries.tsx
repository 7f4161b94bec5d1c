import type { Delivery } from '@formwire/contract/control'
import { go, link, route } from '../router.ts'
import { endpointById } from '../state/catalog.ts'
import { serverNow } from '../state/clock.ts'
import { deliveryLog, logs } from '../state/deliveries.ts'
import { Empty, isLoaded, NotLoaded } from '../ui/empty.tsx'
import { filterKey } from '../ui/filters.tsx'
import { neighboursOf } from '../ui/pane.tsx'
import { Split } from '../ui/split.tsx'
import { Stale } from '../ui/stale.tsx'
import { DeliveryPane } from './delivery/delivery-pane.tsx'
import { Heading } from './heading.tsx'
import { BulkActions } from './log/bulk-actions.tsx'
import { DeliveryFilters } from './log/delivery-filters.tsx'
import { DeliveryTable, rowsOf } from './log/delivery-table.tsx'
import { type Filter, filterDeliveries, filterOf } from './log/filter.ts'
import { NothingYet } from './log/nothing-yet.tsx'
import { Overview } from './overview/overview.tsx'
import { StreamBadge } from './stream-badge.tsx'

/** Returns the deliveries that match the filters. */
function filtered(all: readonly Delivery[], filter: Filter): readonly Delivery[] {
  // The clock is read only for a span of time: the list is not filtered again each second.
  const now = filter.since === '' ? 0 : (serverNow.value ?? 0)
  const urls = endpointById.value
  return filterDeliveries(all, filter, now, (id) => urls.get(id)?.url ?? '')
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
      <Heading title="Deliveries" aside={<StreamBadge />} actions={<BulkActions list={list} />} />
      <DeliveryFilters shown={list} total={all.length} />
      <Stale of={[logs]} />
      <Split
        pane={
          openId ? (
            <DeliveryPane id={openId} key={openId} neighbours={neighboursOf(openIndex, urlAt)} />
          ) : null
        }
      >
        <Overview />
        {list.length > 0 ? (
          <DeliveryTable
            key={filterKey()}
            label="Delivery log"
            rows={rows}
            onOpen={(id) => go(urlOf(id))}
            openIndex={openIndex}
          />
        ) : !isLoaded(logs) ? (
          <NotLoaded of={logs} what="the delivery log" />
        ) : all.length > 0 ? (
          <Empty title="No matching deliveries">
            Clear a filter, or <a href={link(['deliveries'])}>show all {all.length}</a>.
          </Empty>
        ) : (
          <NothingYet />
        )}
      </Split>
    </>
  )
}
