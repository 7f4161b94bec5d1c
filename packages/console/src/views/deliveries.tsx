/** @jsxImportSource preact */

import type { Delivery } from '@formwire/contract/control'
import { serverUrl } from '../api.ts'
import { count } from '../format.ts'
import { go, link, route } from '../router.ts'
import { endpointById, endpoints, formById, forms } from '../state/catalog.ts'
import { deliveryLog, logs } from '../state/deliveries.ts'
import { Attempts, Badge, HttpStatus } from '../ui/badge.tsx'
import { Empty, Failed, Loading } from '../ui/empty.tsx'
import { Filters, filterValue, QueryChoice, QuerySearch, searchWords } from '../ui/filters.tsx'
import { Stale } from '../ui/stale.tsx'
import { Line } from '../ui/text.tsx'
import { Due, Time } from '../ui/time.tsx'
import { Cell, VirtualGrid } from '../ui/virtual-grid.tsx'
import { DeliveryPane } from './delivery.tsx'
import { matchesText } from './delivery-search.ts'
import { Heading } from './heading.tsx'
import { Overview } from './overview/overview.tsx'
import { StreamBadge } from './stream-badge.tsx'
import { useSubmitCommand } from './submit-command.ts'

const COLUMNS = [
  { name: 'status', label: 'Status' },
  { name: 'what', label: 'Event' },
  { name: 'form', label: 'Form' },
  { name: 'endpoint', label: 'Endpoint' },
  { name: 'attempts', label: 'Attempts' },
  { name: 'http-status', label: 'Response' },
  { name: 'next', label: 'Next attempt' },
  { name: 'when', label: 'Created' },
]

/** Returns the deliveries that match the filters in the URL. */
function filtered(list: readonly Delivery[]): readonly Delivery[] {
  const [status, webhook, form, event] = ['status', 'webhook', 'form', 'event'].map(filterValue)
  const text = searchWords()
  if (!status && !webhook && !form && !event && text === '') return list
  return list.filter(
    (delivery) =>
      (!status || delivery.status === status) &&
      (!webhook || String(delivery.webhook_id) === webhook) &&
      (!form || delivery.form_id === form) &&
      (!event || delivery.event === event) &&
      (text === '' || matchesText(delivery, text)),
  )
}

function Row({ delivery }: { delivery: Delivery }) {
  const endpoint = endpointById.value.get(delivery.webhook_id)
  const form = formById.value.get(delivery.form_id)
  const url = endpoint?.url.replace(/^https?:\/\//, '') ?? `#${delivery.webhook_id}`
  return (
    <>
      <Cell name="status">
        <Badge state={delivery.status} />
      </Cell>
      <Cell name="what">
        <a href={link(['deliveries', delivery.id], Object.fromEntries(route.value.query))} tabIndex={-1}>
          <Line value={delivery.event} />
        </a>
        <span class="muted">{delivery.response_id === 0 ? 'example' : `#${delivery.response_id}`}</span>
      </Cell>
      <Cell name="form">
        <Line value={form?.title ?? delivery.form_id} />
      </Cell>
      <Cell name="endpoint">
        <Line value={url} />
      </Cell>
      <Cell name="attempts">
        <Attempts delivery={delivery} />
        <span class="muted narrow-only">
          <Line value={url} />
        </span>
      </Cell>
      <Cell name="http-status">
        <HttpStatus status={delivery.http_status} />
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

function DeliveryFilters({ shown, total }: { shown: number; total: number }) {
  const formOptions = (forms.data.value ?? []).map((form) => [form.id, form.title.slice(0, 60)] as const)
  const endpointOptions = (endpoints.data.value ?? []).map(
    (endpoint) =>
      [
        String(endpoint.id),
        `#${endpoint.id} ${endpoint.url.replace(/^https?:\/\//, '').slice(0, 60)}`,
      ] as const,
  )
  return (
    <Filters tally={shown === total ? count(total, 'delivery', 'deliveries') : `${shown} of ${total}`}>
      <QuerySearch label="Search payload, response, id" />
      <QueryChoice
        label="Status"
        name="status"
        any="Any status"
        options={[
          ['pending', 'Pending'],
          ['delivered', 'Delivered'],
          ['failed', 'Failed'],
        ]}
      />
      <QueryChoice label="Form" name="form" any="Any form" options={formOptions} />
      <QueryChoice label="Endpoint" name="webhook" any="Any endpoint" options={endpointOptions} />
      <QueryChoice
        label="Event"
        name="event"
        any="Any event"
        options={[
          ['response.submitted', 'response.submitted'],
          ['test.ping', 'test.ping'],
        ]}
      />
    </Filters>
  )
}

function NothingYet() {
  const active = new Set(
    (endpoints.data.value ?? []).filter((endpoint) => endpoint.active).map((endpoint) => endpoint.form_id),
  )
  const open = (forms.data.value ?? []).filter(({ status, trashed }) => status === 'published' && !trashed)
  // Only responses to a form with an active endpoint are delivered.
  const form = active.size === 0 ? open[0] : open.find(({ id }) => active.has(id))
  const command = useSubmitCommand(active.size === 0 ? undefined : form)
  if (active.size === 0) {
    return (
      <Empty
        title="No active endpoints"
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
    <Empty title="No deliveries yet" command={command}>
      Every new response to a form is sent to its active endpoints and appears here live. Send a test event
      from <a href="#/endpoints">Endpoints</a>
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

/** The live delivery log of all endpoints, with the open delivery beside it. */
export function DeliveriesView() {
  const { path, query } = route.value
  const openId = path[1]
  const all = deliveryLog.list.value
  const list = filtered(all)
  const open = (id: string) => go(link(['deliveries', id], Object.fromEntries(query)))
  return (
    <>
      <Heading title="Deliveries" aside={<StreamBadge />} />
      <Overview />
      <DeliveryFilters shown={list.length} total={all.length} />
      <Stale of={[logs]} />
      <div class={`split ${openId ? 'is-open' : ''}`}>
        <div class="split-list">
          {list.length > 0 ? (
            <VirtualGrid
              label="Delivery log"
              class="deliveries"
              columns={COLUMNS}
              count={list.length}
              keyOf={(index) => (list[index] as Delivery).id}
              row={(index) => <Row delivery={list[index] as Delivery} />}
              onOpen={(index) => open((list[index] as Delivery).id)}
              isSelected={(index) => list[index]?.id === openId}
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
        {openId ? <DeliveryPane id={openId} key={openId} /> : null}
      </div>
    </>
  )
}
