import type { Delivery } from '@formwire/contract/control'
import { serverUrl } from '../api.ts'
import { go, link, route } from '../router.ts'
import { endpointById, endpoints, liveForms, overview } from '../state/catalog.ts'
import { serverNow } from '../state/clock.ts'
import { deliveryLog, logs, streamState } from '../state/deliveries.ts'
import { filterKey } from '../ui/filters.tsx'
import { Empty, NoRows, Stale } from '../ui/loading.tsx'
import { neighboursOf, Split } from '../ui/pane.tsx'
import { DeliveryPane } from './delivery/delivery-pane.tsx'
import { Heading } from './heading.tsx'
import { DeliveryFilters } from './log/delivery-filters.tsx'
import { DeliveryTable, rowsOf } from './log/delivery-table.tsx'
import { countViews, filterDeliveries, filterOf } from './log/filter.ts'
import { Strip } from './overview/strip.tsx'
import { useSubmitCommand } from './submit-command.ts'

const WORDS = { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting', off: 'Paused' } as const

/** State of the live stream. */
const StreamBadge = () => (
  <span class="hint bar tight" role="status" data-testid="stream">
    <i class={`dot ${streamState.value === 'live' ? 'good' : 'wait'}`} aria-hidden="true" />
    {WORDS[streamState.value]}
  </span>
)

/** Why the log is empty, and what fills it. */
function NothingYet() {
  const active = new Set(
    (endpoints.data.value ?? []).filter((endpoint) => endpoint.active).map((endpoint) => endpoint.form_id),
  )
  const open = liveForms.value.filter(({ status }) => status === 'published')
  // Only responses to a form with an active endpoint are delivered.
  const form = active.size === 0 ? open[0] : open.find(({ id }) => active.has(id))
  const command = useSubmitCommand(active.size === 0 ? undefined : form)
  if (active.size === 0) {
    return (
      <Empty
        title="No active endpoints"
        icon="endpoints"
        command={`FORMWIRE_BASE_URL=${serverUrl()} formwire listen --form ${form?.id ?? 'FORM_ID'}`}
      >
        Deliveries go to the endpoints of a form.{' '}
        {form ? (
          <a href={link(['forms', form.id, 'endpoints'])}>Add one to a form</a>
        ) : (
          'Publish a form and add one'
        )}
        , or let the CLI create a temporary one and show what arrives. It needs a{' '}
        <a href={link(['keys'])}>write key</a> in FORMWIRE_API_KEY:
      </Empty>
    )
  }
  return (
    <Empty title="No deliveries" icon="deliveries" command={command}>
      Every new response to a form is sent to its active endpoints and appears here live, for 30 days. Send a
      test event from <a href="#/endpoints">Endpoints</a>
      {form ? (
        <>
          , fill in the{' '}
          <a href={form.url} target="_blank" rel="noopener noreferrer">
            public form
          </a>
        </>
      ) : null}
      {command ? ', or submit a response:' : '.'}
    </Empty>
  )
}

/** Returns the deliveries that match the filters, and how many of each saved view match the others. */
function filtered(all: readonly Delivery[], query: ReadonlyMap<string, string>) {
  const filter = filterOf(query)
  // The clock is read only for a span of time: the list is not filtered again each second.
  const now = filter.since === '' ? 0 : (serverNow.value ?? 0)
  const known = endpointById.value
  const endpointOf = (id: number) => known.get(id)
  const inAnyView = filterDeliveries(all, { ...filter, status: '' }, now, endpointOf)
  const list = filterDeliveries(inAnyView, filterOf(new Map([['status', filter.status]])), now, endpointOf)
  return { list, counts: countViews(inAnyView, endpointOf) }
}

/** The live delivery log of all endpoints, with the open delivery beside it. */
export function DeliveriesView() {
  const { path, query } = route.value
  const openId = path[1]
  const all = deliveryLog.list.value
  const { list, counts } = filtered(all, query)
  const rows = rowsOf(list)
  const openIndex = openId === undefined ? -1 : rows.list.findIndex(({ id }) => id === openId)
  const urlOf = (id: string) => link(['deliveries', id], Object.fromEntries(query))
  const urlAt = (index: number) => {
    const delivery = rows.list[index]
    return delivery && urlOf(delivery.id)
  }
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
      <DeliveryFilters shown={list} total={all.length} counts={counts} />
      <Stale of={[logs, overview]} />
      <Split
        pane={
          openId ? (
            <DeliveryPane id={openId} key={openId} neighbours={neighboursOf(openIndex, urlAt)} />
          ) : null
        }
      >
        {list.length > 0 ? (
          <DeliveryTable
            key={filterKey()}
            label="Delivery log"
            list={list}
            rows={rows}
            onOpen={(id) => go(urlOf(id))}
            openIndex={openIndex}
          />
        ) : (
          <NoRows of={logs} what="deliveries" total={all.length}>
            <NothingYet />
          </NoRows>
        )}
      </Split>
    </>
  )
}
