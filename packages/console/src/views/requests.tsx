import type { JournalEntry } from '@formwire/contract/control'
import { computed } from '@preact/signals'
import { serverUrl } from '../api.ts'
import { shownText } from '../format.ts'
import { go, link, route } from '../router.ts'
import { shellQuote } from '../shell.ts'
import { keys, requests } from '../state/catalog.ts'
import { Command } from '../ui/copy.tsx'
import { Filters, filterKey, filterValue, QueryChoice, QuerySearch, searchWords } from '../ui/filters.tsx'
import { Empty, NoRows, Stale, useRefreshing } from '../ui/loading.tsx'
import { type Neighbours, neighboursOf, Pane, Split } from '../ui/pane.tsx'
import { Code, Facts, HttpStatus, Line, Moment, Time } from '../ui/values.tsx'
import { type Column, VirtualGrid } from '../ui/virtual-grid.tsx'
import { Heading } from './heading.tsx'

/** Path with the query. */
const targetOf = ({ path, query }: JournalEntry): string => (query === '' ? path : `${path}?${query}`)

/** The target as the list shows it, where it must be short. */
const shownTarget = (entry: JournalEntry): string => targetOf(entry).replaceAll('%3A', ':')

/** Names of the API keys by prefix. */
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
      <a href={link(['keys'], { q: prefix })}>
        <KeyName prefix={prefix} />
      </a>
      {keyNames.value.has(prefix) ? <span class="muted mono">{prefix}…</span> : null}
    </>
  )
}

const COLUMNS: readonly Column<JournalEntry>[] = [
  {
    name: 'number',
    label: 'No.',
    width: '3rem',
    cell: ({ number }) => (
      <a href={link(['requests', number], Object.fromEntries(route.value.query))} tabIndex={-1}>
        {number}
      </a>
    ),
  },
  { name: 'when', label: 'Time', width: '6.75rem', cell: (entry) => <Time at={entry.received_at} /> },
  {
    name: 'method',
    label: 'Method',
    width: '4rem',
    cell: ({ method }) => <code>{method.slice(0, 12)}</code>,
  },
  {
    name: 'path',
    label: 'Path',
    width: 'minmax(8rem, 2.8fr)',
    cell: (entry) => <Line value={shownTarget(entry)} class="mono" />,
  },
  {
    name: 'http-status',
    label: 'Status',
    width: '3.5rem',
    cell: ({ status }) => <HttpStatus status={status} />,
  },
  {
    name: 'error',
    label: 'Error',
    width: '9rem',
    cell: ({ error }) =>
      error ? (
        <span class="error-class" title={error.message}>
          {error.code}
        </span>
      ) : null,
  },
  {
    name: 'key',
    label: 'Key',
    width: '8.5rem',
    cell: ({ key_prefix: prefix }) =>
      prefix === null ? <span class="muted">none</span> : <KeyName prefix={prefix} />,
  },
  {
    name: 'agent',
    label: 'Client',
    width: 'minmax(6rem, 1fr)',
    from: 72,
    cell: (entry) => <Line value={entry.user_agent ?? ''} />,
  },
]

const NARROW = {
  columns: 'auto minmax(0, 1fr) auto auto',
  areas: '"method path path http-status" "when when error error"',
}

function RequestPane({
  entry,
  close,
  neighbours,
}: {
  entry: JournalEntry | undefined
  close: string
  neighbours: Neighbours
}) {
  return (
    <Pane
      title={`Request ${entry?.number ?? ''}`}
      state={entry ? <HttpStatus status={entry.status} /> : null}
      close={close}
      closeLabel="Close the request"
      neighbours={neighbours}
    >
      {entry ? (
        <>
          <Facts
            of={[
              ['Received', <Moment at={entry.received_at} />],
              ['Request', <bdi>{`${entry.method} ${targetOf(entry)}`}</bdi>, 'mono wrap'],
              [
                'Error',
                entry.error && (
                  <>
                    <span class="error-class">{entry.error.code}</span>
                    <bdi class="wrap">{entry.error.message}</bdi>
                  </>
                ),
              ],
              ['Key', <KeyFact prefix={entry.key_prefix} />],
              ['From', entry.address, 'mono'],
              ['Client', <bdi>{entry.user_agent ?? '–'}</bdi>, 'wrap'],
              ['Request ID', entry.request_id, 'mono wrap'],
            ]}
          />
          {entry.method === 'GET' ? (
            <>
              <p class="hint">Send it again with the API key in FORMWIRE_API_KEY:</p>
              <Command
                text={`curl -i ${shellQuote(serverUrl() + targetOf(entry))} -H "Authorization: Bearer $FORMWIRE_API_KEY"`}
                what="the curl command"
              />
            </>
          ) : null}
        </>
      ) : (
        <p class="muted">This request is no longer in the journal, which keeps the latest 1,000.</p>
      )}
    </Pane>
  )
}

/** What the search of the list covers, in lower case. */
function searchedText(entry: JournalEntry): string {
  const { method, status, error, key_prefix: prefix, user_agent: client, request_id: id } = entry
  const key = `${prefix ?? ''}\n${keyNames.value.get(prefix ?? '') ?? ''}`
  const target = `${method} ${targetOf(entry)}\n${shownTarget(entry)}`
  return [target, status, error?.code, error?.message, key, client, id].join('\n').toLowerCase()
}

/** The latest API requests, newest first. */
export function RequestsView() {
  useRefreshing(requests)
  const { path, query } = route.value
  const text = searchWords()
  const kind = filterValue('status')
  const key = filterValue('key')
  const all = requests.data.value ?? []
  // The chosen one, too, when it has no request among the latest.
  const used = new Set(all.flatMap(({ key_prefix: prefix }) => prefix ?? []))
  if (key !== '' && key !== 'none') used.add(key)
  const list = all.filter(
    (entry) =>
      (kind === '' || String(entry.status).startsWith(kind)) &&
      (key === '' || (entry.key_prefix ?? 'none') === key) &&
      (text === '' || searchedText(entry).includes(text)),
  )
  const openNumber = path[1]
  const openIndex = list.findIndex(({ number }) => String(number) === openNumber)
  const urlOf = ({ number }: JournalEntry) => link(['requests', number], Object.fromEntries(query))
  return (
    <>
      <Heading title="Requests" />
      <Filters tally={shownText(list.length, all.length, 'request')}>
        <QuerySearch label="Search path, error, key, ID" />
        <QueryChoice
          label="Status"
          name="status"
          any="Any status"
          options={[
            ['2', '2xx'],
            ['4', '4xx'],
            ['429', '429'],
            ['5', '5xx'],
          ]}
        />
        <QueryChoice
          label="Key"
          name="key"
          any="Any key"
          options={[
            ...Array.from(used, (prefix) => [prefix, keyNames.value.get(prefix) ?? `${prefix}…`] as const),
            ['none', 'No key'],
          ]}
        />
      </Filters>
      <Stale of={[requests]} />
      <Split
        pane={
          openNumber ? (
            <RequestPane
              entry={all.find((entry) => String(entry.number) === openNumber)}
              close={link(['requests'], Object.fromEntries(query))}
              neighbours={neighboursOf(openIndex, (index) => {
                const entry = list[index]
                return entry && urlOf(entry)
              })}
            />
          ) : null
        }
      >
        {list.length > 0 ? (
          <VirtualGrid
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
            <Empty
              title="No API requests yet"
              icon="requests"
              command={`curl ${serverUrl()}/api/v1/me -H "Authorization: Bearer $FORMWIRE_API_KEY"`}
            >
              Your latest 1,000 API requests appear here. The server prints a key when it starts:
            </Empty>
          </NoRows>
        )}
      </Split>
    </>
  )
}
