import { link, route } from '../router.ts'
import { formById, forms } from '../state/catalog.ts'
import { log, streamState, totals } from '../state/deliveries.ts'
import { isDismissed, isFirstRun } from '../state/first-run.ts'
import { Button } from '../ui/controls.tsx'
import { filterKey, filterValue } from '../ui/filters.tsx'
import { Empty, NoRows, NotLoaded, Stale, useRefreshing } from '../ui/loading.tsx'
import { neighboursOf, Split } from '../ui/pane.tsx'
import { DeliveryPane } from './delivery/delivery-pane.tsx'
import { Heading } from './heading.tsx'
import { lazyView } from './lazy-view.tsx'
import { DeliveryFilters, logQuery } from './log/delivery-filters.tsx'
import { DeliveryTable } from './log/delivery-table.tsx'
import { useLog } from './log/use-log.ts'
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
  const { rows = [], counts, isSearching, more } = useLog(logQuery(), filterValue('q').trim())
  // Another program may have created their form.
  useRefreshing(rows.some((one) => !formById.value.has(one.form_id)) ? forms : undefined)
  const openIndex = openId === undefined ? -1 : rows.findIndex(({ id }) => id === openId)
  const urlAt = (index: number) => {
    const delivery = rows[index]
    return delivery && link(['deliveries', delivery.id], Object.fromEntries(query))
  }
  const { all } = totals.value
  const isNew = isFirstRun.value && all === 0
  return (
    <>
      <Heading
        title="Deliveries"
        aside={
          <>
            <StreamBadge />
            <Strip />
          </>
        }
      />
      {/* On an empty server, too: nothing moves when that is known. */}
      <DeliveryFilters counts={counts} isSearching={isSearching} />
      <Stale of={[log]} />
      <Split
        pane={openId && <DeliveryPane id={openId} key={openId} neighbours={neighboursOf(openIndex, urlAt)} />}
      >
        {isFirstRun.value ? <FirstRun newest={rows[0]} /> : null}
        {rows.length > 0 ? (
          <DeliveryTable
            key={filterKey()}
            list={rows}
            openIndex={openIndex}
            isOpen={openId !== undefined}
            onMore={more}
          />
        ) : isNew ? null : isSearching || !counts ? (
          <NotLoaded of={log} what="deliveries" />
        ) : (
          <NoRows of={log} what="deliveries" total={all}>
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
