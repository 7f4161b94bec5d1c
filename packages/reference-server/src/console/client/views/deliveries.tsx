/** @jsxImportSource preact */
import { serverUrl } from '../api.ts'
import { count } from '../format.ts'
import { go, link, route } from '../router.ts'
import { endpointById, endpoints, formById, forms } from '../state/catalog.ts'
import { deliveryLog, logs } from '../state/deliveries.ts'
import type { Delivery } from '../types.ts'
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
import { StreamBadge } from './stream-badge.tsx'
import { useSubmitCommand } from './submit-command.ts'

const COLUMNS = [
  { name: 'status', label: 'Status' },
  { name: 'what', label: 'Event' },
  { name: 'form', label: 'Form' },
  { name: 'endpoint', label: 'Endpoint' },
  { name: 'attempts', label: 'Attempts' },
  { name: 'answer', label: 'Answer' },
  { name: 'next', label: 'Next attempt' },
  { name: 'when', label: 'Created' },
]

/** Entries that the filters in the address let through. */
function filtered(list: readonly Delivery[]): readonly Delivery[] {
  const [status, webhook, form, event] = ['status', 'webhook', 'form', 'event'].map(filterValue)
  const text = searchWords()
  if (!status && !webhook && !form && !event && text === '') return list
  return list.filter(
    (entry) =>
      (!status || entry.status === status) &&
      (!webhook || String(entry.webhook_id) === webhook) &&
      (!form || entry.form_id === form) &&
      (!event || entry.event === event) &&
      (text === '' || matchesText(entry, text)),
  )
}

function Row({ entry }: { entry: Delivery }) {
  const endpoint = endpointById.value.get(entry.webhook_id)
  const form = formById.value.get(entry.form_id)
  const address = endpoint?.url.replace(/^https?:\/\//, '') ?? `#${entry.webhook_id}`
  return (
    <>
      <Cell name="status">
        <Badge state={entry.status} />
      </Cell>
      <Cell name="what">
        <a href={link(['deliveries', entry.id], Object.fromEntries(route.value.query))} tabIndex={-1}>
          <Line value={entry.event} />
        </a>
        <span class="muted">{entry.response_id === 0 ? 'example' : `#${entry.response_id}`}</span>
      </Cell>
      <Cell name="form">
        <Line value={form?.title ?? entry.form_id} />
      </Cell>
      <Cell name="endpoint">
        <Line value={address} />
      </Cell>
      <Cell name="attempts">
        <Attempts entry={entry} />
        <span class="muted narrow-only">
          <Line value={address} />
        </span>
      </Cell>
      <Cell name="answer">
        <HttpStatus status={entry.http_status} />
      </Cell>
      <Cell name="next">
        {entry.next_attempt_at ? (
          <>
            <Time at={entry.next_attempt_at} />{' '}
            <span class="muted">
              <Due at={entry.next_attempt_at} />
            </span>
          </>
        ) : null}
      </Cell>
      <Cell name="when">
        <Time at={entry.created_at} />
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
    <Filters tally={shown === total ? count(total, 'entry', 'entries') : `${shown} of ${total}`}>
      <QuerySearch label="Search payload, answer, id" />
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
  // Only a response to a form that has an active endpoint shows here.
  const form = active.size === 0 ? open[0] : open.find(({ id }) => active.has(id))
  const command = useSubmitCommand(active.size === 0 ? undefined : form)
  if (active.size === 0) {
    return (
      <Empty
        title="No active endpoint"
        command={`FORMWIRE_BASE_URL=${serverUrl()} formwire listen --form ${form?.id ?? 'FORM_ID'}`}
      >
        Deliveries go to the endpoints of a form.{' '}
        {form ? (
          <a href={link(['forms', form.id, 'endpoints'])}>Add one to a form</a>
        ) : (
          'Publish a form and add one'
        )}
        , or let the command line make a temporary one and show what arrives, with a{' '}
        <a href={link(['keys'])}>write key</a> in FORMWIRE_API_KEY:
      </Empty>
    )
  }
  return (
    <Empty title="Nothing delivered yet" command={command}>
      Every new response of a form is sent to its active endpoints, and shows here the moment it happens. Send
      a test event from <a href="#/endpoints">Endpoints</a>
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

/** The delivery log of all endpoints, live, with the open entry beside it. */
export function DeliveriesView() {
  const { path, query } = route.value
  const openId = path[1]
  const all = deliveryLog.list.value
  const list = filtered(all)
  const open = (id: string) => go(link(['deliveries', id], Object.fromEntries(query)))
  return (
    <>
      <Heading title="Deliveries" aside={<StreamBadge />} />
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
              row={(index) => <Row entry={list[index] as Delivery} />}
              onOpen={(index) => open((list[index] as Delivery).id)}
              isSelected={(index) => list[index]?.id === openId}
            />
          ) : logs.error.value ? (
            <Failed message={logs.error.value} onRetry={() => void logs.refresh()} />
          ) : all.length > 0 ? (
            <Empty title="No entry matches">
              Take a filter away, or <a href={link(['deliveries'])}>show all {all.length}</a>.
            </Empty>
          ) : logs.data.value ? (
            <NothingYet />
          ) : (
            <Loading what="the log" />
          )}
        </div>
        {openId ? <DeliveryPane id={openId} key={openId} /> : null}
      </div>
    </>
  )
}
