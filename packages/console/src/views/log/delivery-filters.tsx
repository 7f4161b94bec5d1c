import type { DeliveryPage } from '@formwire/contract/control'
import { withoutScheme } from '../../format.ts'
import { go, withQuery } from '../../router.ts'
import { endpoints, forms } from '../../state/catalog.ts'
import { Button, Icon, type Option, optionsOf } from '../../ui/controls.tsx'
import { Filters, filterValue, QuerySearch } from '../../ui/filters.tsx'
import { MenuButton, type MenuItems } from '../../ui/menu.tsx'
import { deliveriesText, ReplayFailed } from './bulk-actions.tsx'

/** The tabs of the log: the value of the URL parameter `status`, and the name. */
const VIEWS = [
  ['', 'All'],
  ['retrying', 'Retrying'],
  ['failed', 'Failed'],
] as const

/** A filter: the URL parameter that it sets, its name, its options, and the parameter of the server. */
type Kind = readonly [name: string, text: string, options: () => readonly Option[], parameter: string]

const KINDS: readonly Kind[] = [
  ['form', 'Form', () => optionsOf(forms.data.value ?? []), 'form_id'],
  [
    'webhook',
    'Endpoint',
    () =>
      (endpoints.data.value ?? []).map(({ id, url }) => [id, `#${id} ${withoutScheme(url).slice(0, 60)}`]),
    'webhook_id',
  ],
]

/** Deliveries that a link lists alone: what an advance of the clock has attempted, or a bulk action has sent. */
const LINKED: Kind = [
  'ids',
  'Only',
  () => [[filterValue('ids'), deliveriesText(filterValue('ids').split(',').length)]],
  'ids',
]

/** Chooses an option; `''` means no filter. The back button undoes a choice. */
const choose = ([name]: Kind, value: string): void => go(withQuery({ [name]: value }))

const optionItems = (kind: Kind): MenuItems =>
  [['', 'Any'] as const, ...kind[2]()].map(([value, text]) => ({
    text,
    isChosen: String(value) === filterValue(kind[0]),
    run: () => choose(kind, String(value)),
  }))

function Chip({ kind }: { kind: Kind }) {
  const value = filterValue(kind[0])
  // A link can contain a value that was deleted. The list is then empty, and the chip shows why.
  const known = kind[2]().find(([option]) => String(option) === value)
  const text = known?.[1] ?? `${value.slice(0, 40)} (deleted)`
  return (
    <Button
      class="button chip"
      aria-label={`Remove the filter ${kind[1]}: ${text}`}
      run={() => {
        // The chip goes.
        document.querySelector<HTMLElement>('.add-filter')?.focus()
        choose(kind, '')
      }}
    >
      <span class="muted">{kind[1]}</span>
      <bdi class="line">{text}</bdi>
      <Icon name="close" />
    </Button>
  )
}

/** The tabs, each with the number of deliveries that it has with the other filters. */
const Views = ({ counts }: { counts: Counts | undefined }) => (
  <nav class="box switch" aria-label="Saved views">
    {VIEWS.map(([status, text]) => (
      <a
        key={status}
        href={withQuery({ status })}
        aria-current={filterValue('status') === status ? 'true' : undefined}
      >
        {text}{' '}
        <span class="muted regular">{counts?.[status === '' ? 'all' : status].toLocaleString('en')}</span>
      </a>
    ))}
  </nav>
)

type Counts = DeliveryPage['meta']['counts']

/**
 * Returns the filters of the URL as the query of `GET /_app/deliveries`.
 *
 * @param state Whether the tab is among them. @default true
 */
export function logQuery(state = true): string {
  const query = new URLSearchParams()
  const add = (name: string, value: string) => value !== '' && query.set(name, value)
  for (const [name, , , parameter] of KINDS) add(parameter, filterValue(name))
  // More do not fit into a URL that servers accept.
  add('ids', filterValue('ids').split(',').slice(0, 400).join())
  if (state) add('state', filterValue('status'))
  return String(query)
}

interface DeliveryFiltersProps {
  /** `undefined` until they are loaded. */
  readonly counts: Counts | undefined
  readonly isSearching: boolean
}

export function DeliveryFilters({ counts, isSearching }: DeliveryFiltersProps) {
  const status = filterValue('status')
  const text = filterValue('q').trim()
  const chosen = [...KINDS, LINKED].filter(([name]) => filterValue(name) !== '')
  const query = `${logQuery(false)}${text && `&${new URLSearchParams({ q: text })}`}`
  return (
    <Filters
      isSet={chosen.length > 0 || text !== '' || !VIEWS.some(([view]) => view === status)}
      tally={isSearching ? 'Searching…' : ''}
      actions={counts?.failed ? <ReplayFailed query={query} /> : null}
    >
      <Views counts={counts} />
      <QuerySearch label="Search answers, error, host, ID" />
      <MenuButton
        label="Filter"
        class="button add-filter"
        items={() => KINDS.map((kind) => ({ text: kind[1], items: () => optionItems(kind) }))}
      >
        <Icon name="filter" />
        Filter
      </MenuButton>
      {chosen.map((kind) => (
        <Chip key={kind[0]} kind={kind} />
      ))}
    </Filters>
  )
}
