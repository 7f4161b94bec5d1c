import { link, route } from '../router.ts'
import { endpointById } from '../state/catalog.ts'
import { serverNow } from '../state/clock.ts'
import { deliveryLog, logs, streamState } from '../state/deliveries.ts'
import { isDismissed, isFirstRun } from '../state/first-run.ts'
import { Button } from '../ui/controls.tsx'
import { filterKey } from '../ui/filters.tsx'
import { Empty, NoRows, Stale } from '../ui/loading.tsx'
import { neighboursOf, Split } from '../ui/pane.tsx'
import { DeliveryPane } from './delivery/delivery-pane.tsx'
import { Heading } from './heading.tsx'
import { lazyView } from './lazy-view.tsx'
import { DeliveryFilters } from './log/delivery-filters.tsx'
import { DeliveryTable } from './log/delivery-table.tsx'
import { countViews, filterDeliveries, filterOf } from './log/filter.ts'
import { Strip } from './strip.tsx'

const FirstRun = lazyView('FirstRun', 'the first steps')

const WORDS = { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting', off: 'Paused' } as const

const StreamBadge = () => (
  <span class="hint bar tight" role="status" data-testid="stream">
    <i class={`dot ${streamState.value === 'live' ? 'good' : 'wait'}`} aria-hidden="true" />
    {WORDS[streamState.value]}
  </span>
)

/** The live delivery log of all endpoints, with the open delivery beside it. */
export function DeliveriesView() {
  const { path, query } = route.value
  const openId = path[1]
  const all = deliveryLog.list.value
  const filter = filterOf(query)
  // The clock is read only for a span of time: the list is not filtered again each second.
  const now = filter.since === '' ? 0 : (serverNow.value ?? 0)
  const known = endpointById.value
  const urlOf = (endpointId: number) => known.get(endpointId)?.url ?? ''
  const inAnyView = filterDeliveries(all, { ...filter, status: '' }, now, urlOf)
  const list = filter.status === '' ? inAnyView : inAnyView.filter(({ status }) => status === filter.status)
  const openIndex = openId === undefined ? -1 : list.findIndex(({ id }) => id === openId)
  const urlAt = (index: number) => {
    const delivery = list[index]
    return delivery && link(['deliveries', delivery.id], Object.fromEntries(query))
  }
  const isNew = isFirstRun.value && all.length === 0
  return (
    <>
      <Heading
        title="Deliveries"
        aside={
          <>
            <StreamBadge />
            {all.length > 0 ? <Strip /> : null}
          </>
        }
      />
      {isNew ? null : <DeliveryFilters shown={list} counts={countViews(inAnyView)} />}
      <Stale of={[logs]} />
      <Split
        pane={openId && <DeliveryPane id={openId} key={openId} neighbours={neighboursOf(openIndex, urlAt)} />}
      >
        {isFirstRun.value ? <FirstRun /> : null}
        {list.length > 0 ? (
          <DeliveryTable key={filterKey()} list={list} openIndex={openIndex} />
        ) : isNew ? null : (
          <NoRows of={logs} what="deliveries" total={all.length}>
            <Empty title="No deliveries" icon="deliveries">
              Every new response to a form is sent to its active endpoints and appears here live, for 30 days.{' '}
              <Button class="button small" run={() => (isDismissed.value = false)}>
                Show the first steps
              </Button>
            </Empty>
          </NoRows>
        )}
      </Split>
    </>
  )
}
