import type { JournalBody, JournalDetail, JournalEntry } from '@formwire/contract/control'
import { escapeInvisible } from '@formwire/internal/invisible'
import { computed } from '@preact/signals'
import { get, parse } from '../api.ts'
import { byteSize, duration, shownText } from '../format.ts'
import { go, link, route } from '../router.ts'
import { faults, keys, requests } from '../state/catalog.ts'
import { serverNow } from '../state/clock.ts'
import { useResource } from '../state/resource.ts'
import { Copy } from '../ui/copy.tsx'
import { Filters, filterKey, filterValue, QueryChoice, QuerySearch, searchWords } from '../ui/filters.tsx'
import { type Column, column, Grid } from '../ui/grid.tsx'
import { Empty, NoRows, NotLoaded, Stale, useItem, useRefreshing } from '../ui/loading.tsx'
import { type Neighbours, neighboursOf, Pane, Split } from '../ui/pane.tsx'
import { Code, Facts, HttpStatus, Json, Line, Moment, Passage, Time } from '../ui/values.tsx'
import { HeaderList, Section } from './delivery/attempts.tsx'
import { Heading } from './heading.tsx'
import { effectText } from './server/fault-text.ts'

/** Spans of time before now that can be chosen, by the value of the URL parameter `since`. */
const SPANS: Readonly<Record<string, { readonly ms: number; readonly text: string }>> = {
  '15m': { ms: 15 * 60_000, text: 'Last 15 minutes' },
  '1h': { ms: 3_600_000, text: 'Last hour' },
  '24h': { ms: 86_400_000, text: 'Last 24 hours' },
  '7d': { ms: 7 * 86_400_000, text: 'Last 7 days' },
}

const targetOf = ({ path, query }: JournalEntry): string => (query === '' ? path : `${path}?${query}`)

/** Returns the URL of a request with the filters of the list, or of the list itself. */
const urlOf = (entry?: JournalEntry): string =>
  link(['requests', ...(entry ? [entry.number] : [])], Object.fromEntries(route.value.query))

/** The target as the list shows it, where it must be short. */
const shownTarget = (entry: JournalEntry): string =>
  targetOf(entry)
    .replace(/^\/api\/v1(?=\/)/, '')
    .replaceAll('%3A', ':')

/** The end of a target that is never cut off: its last parameter, such as `since`, is what differs. */
const END = /(?:[?&][^?&]{1,28}|.{1,20})$/

/** A target on one line, cut in the middle. */
function Target({ of: entry }: { of: JournalEntry }) {
  const text = shownTarget(entry)
  const at = text.search(END)
  return (
    <bdi class="middle mono" title={targetOf(entry).slice(0, 1_000)}>
      <span class="line">{text.slice(0, Math.min(at, 240))}</span>
      <span>{text.slice(at)}</span>
    </bdi>
  )
}

const keyNames = computed(() => new Map((keys.data.value ?? []).map(({ prefix, name }) => [prefix, name])))

/** The key of a request by its name, or by its prefix if it is not known. */
function KeyName({ prefix }: { prefix: string }) {
  const name = keyNames.value.get(prefix)
  return name === undefined ? <Code value={`${prefix}…`} /> : <Line value={name} />
}

function KeyFact({ prefix }: { prefix: string | null }) {
  if (prefix === null) return <>none, invalid, or not checked because of a fault</>
  return (
    <>
      <a href={link(['server', 'access'])}>
        <KeyName prefix={prefix} />
      </a>
      {keyNames.value.has(prefix) ? <span class="muted mono">{prefix}…</span> : null}
    </>
  )
}

const COLUMNS: readonly Column<JournalEntry>[] = [
  column('when', 'Time', '5.75rem', (entry) => <Time at={entry.received_at} />),
  column('method', 'Method', '4rem', ({ method }) => <code>{method.slice(0, 12)}</code>),
  column('path', 'Path', 'minmax(8rem, 2.8fr)', (entry) => (
    <a href={urlOf(entry)} tabIndex={-1}>
      <Target of={entry} />
    </a>
  )),
  column('http-status', 'Status', '6.5rem', ({ status, duration_ms: ms }) => (
    <>
      <HttpStatus status={status} />
      <span class="muted">{duration(ms)}</span>
    </>
  )),
  column('error', 'Error', '11rem', ({ error, fault }) => (
    <>
      {error && (
        <span class="error-class" title={error.message}>
          {error.code}
        </span>
      )}
      {fault ? <span class="muted">fault #{fault.id}</span> : null}
    </>
  )),
  column('key', 'Key', '8.5rem', ({ key_prefix: prefix }) =>
    prefix === null ? <span class="muted">none</span> : <KeyName prefix={prefix} />,
  ),
  column('agent', 'Client', 'minmax(6rem, 1fr)', (entry) => <Line value={entry.user_agent ?? ''} />, 72),
]

const STATUSES = ['2', '4', '429', '5'].map((start) => [start, start.padEnd(3, 'x')] as const)

const NARROW = {
  columns: 'auto minmax(0, 1fr) auto auto',
  areas: '"method path path http-status" "when when error error"',
}

function Body({ of: body, label }: { of: JournalBody | null; label: string }) {
  if (body === null) return <p class="hint">No body.</p>
  // The start of a long one is not JSON.
  const json = parse(body.text)
  return (
    <>
      {json === undefined ? (
        <Passage value={escapeInvisible(body.text)} label={label} mono />
      ) : (
        <Json value={json} label={label} />
      )}
      {body.truncated ? (
        <p class="hint">
          {body.bytes > 16_384
            ? `The journal keeps the first ${byteSize(16_384)}.`
            : 'Not kept as a whole: the body was not received to its end.'}
        </p>
      ) : null}
    </>
  )
}

/** What the server responded, and what the client sent. */
function Messages({ of: detail }: { of: JournalDetail }) {
  if (detail.request_headers === null)
    return <p class="hint">Not kept: headers and bodies are kept for the latest 200 requests received.</p>
  const message = (name: string, body: JournalBody | null, headers: JournalDetail['request_headers']) => (
    <>
      <Section
        name={name}
        isOpen
        hint={body && <span class="hint">{byteSize(body.bytes)}</span>}
        tools={body && <Copy text={body.text} what={`the ${name.toLowerCase()} body`} isIcon />}
      >
        {() => <Body of={body} label={`${name} body`} />}
      </Section>
      <Section name={`${name} headers`} tools={null}>
        {() => <HeaderList rows={Object.entries(headers ?? {})} />}
      </Section>
    </>
  )
  return (
    <>
      {message('Response', detail.response_body, detail.response_headers)}
      {message('Request', detail.request_body, detail.request_headers)}
    </>
  )
}

function RequestPane({ id, neighbours }: { id: string; neighbours: Neighbours }) {
  const detail = useResource(get<JournalDetail>, `requests/${encodeURIComponent(id)}`)
  const loaded = useItem(detail)
  const fault = loaded?.fault
  return (
    <Pane
      title={`Request ${loaded?.number ?? ''}`}
      state={loaded ? <HttpStatus status={loaded.status} /> : null}
      close={urlOf()}
      closeLabel="Close the request"
      neighbours={neighbours}
    >
      {loaded ? (
        <>
          <div class="bar pane-id">
            <Code value={loaded.request_id} /> <Copy text={loaded.request_id} what="the request ID" isIcon />
          </div>
          {fault && (
            <p class="note">
              {fault.status !== undefined || fault.reset ? 'Caused by' : 'Changed by'}{' '}
              <a href={link(['server'])}>fault #{fault.id}</a>: {effectText(fault)}
              {faults.data.value?.some(({ id: active }) => active === fault.id) ? '' : ' (no longer active)'}
            </p>
          )}
          <Facts
            of={[
              ['Request', <bdi>{`${loaded.method} ${targetOf(loaded)}`}</bdi>, 'mono wrap'],
              [
                'Error',
                loaded.error && (
                  <>
                    <span class="error-class">{loaded.error.code}</span>
                    <bdi class="wrap">{loaded.error.message}</bdi>
                  </>
                ),
              ],
              ['Duration', duration(loaded.duration_ms)],
              ['Received', <Moment at={loaded.received_at} />],
              ['Key', <KeyFact prefix={loaded.key_prefix} />],
              ['From', loaded.address, 'mono'],
              ['Client', <bdi>{loaded.user_agent ?? '–'}</bdi>, 'wrap'],
            ]}
          />
          <Messages of={loaded} />
        </>
      ) : (
        <NotLoaded
          of={detail}
          what="the request"
          gone="This request is no longer in the journal, which keeps the latest 1,000."
        />
      )}
    </Pane>
  )
}

/** What the search of the list covers, in lower case. */
function searchedText(entry: JournalEntry): string {
  const { method, status, error, fault, key_prefix: prefix, user_agent: client, request_id: id } = entry
  const key = `${prefix ?? ''}\n${keyNames.value.get(prefix ?? '') ?? ''}`
  const target = `${method} ${targetOf(entry)}\n${shownTarget(entry)}`
  return [target, status, error?.code, error?.message, key, client, id, fault && `fault #${fault.id}`]
    .join('\n')
    .toLowerCase()
}

export function RequestsView() {
  useRefreshing(requests)
  const text = searchWords()
  const kind = filterValue('status')
  const method = filterValue('method')
  const span = SPANS[filterValue('since')]
  const from = span ? (serverNow.value ?? 0) - span.ms : 0
  const all = requests.data.value ?? []
  const list = all.filter(
    (entry) =>
      (method === '' || entry.method === method) &&
      (!span || Date.parse(entry.received_at) >= from) &&
      (kind === '' || String(entry.status).startsWith(kind)) &&
      (text === '' || searchedText(entry).includes(text)),
  )
  const openId = route.value.path[1]
  const isOpen = ({ number, request_id: id }: JournalEntry) => [String(number), id].includes(openId ?? '')
  const openIndex = list.findIndex(isOpen)
  const urlAt = (index: number) => list[index] && urlOf(list[index])
  return (
    <>
      <Heading title="Requests" />
      <Filters tally={shownText(list.length, all.length, 'request')}>
        <QuerySearch label="Search path, error, key, ID" />
        <QueryChoice
          label="Method"
          name="method"
          any="Any method"
          options={[...new Set(all.map((entry) => entry.method))].sort().map((name) => [name, name] as const)}
        />
        <QueryChoice
          label="Time"
          name="since"
          any="Any time"
          options={Object.entries(SPANS).map(([value, { text }]) => [value, text] as const)}
        />
        <QueryChoice label="Status" name="status" any="Any status" options={STATUSES} />
      </Filters>
      <Stale of={[requests]} />
      <Split
        pane={openId && <RequestPane key={openId} id={openId} neighbours={neighboursOf(openIndex, urlAt)} />}
      >
        {list.length > 0 ? (
          <Grid
            key={filterKey()}
            label="API requests"
            class="requests"
            columns={COLUMNS}
            narrow={NARROW}
            items={list}
            keyOf={({ number }) => String(number)}
            onOpen={(entry) => go(urlOf(entry))}
            openIndex={openIndex}
          />
        ) : (
          <NoRows of={requests} what="requests" total={all.length}>
            <Empty title="No API requests yet" icon="requests">
              Your latest 1,000 API requests appear here. The server prints a key when it starts.
            </Empty>
          </NoRows>
        )}
      </Split>
    </>
  )
}
