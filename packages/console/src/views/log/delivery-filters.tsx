import type { Delivery } from '@formwire/contract/control'
import { computed } from '@preact/signals'
import { withoutScheme } from '../../format.ts'
import { go, withQuery } from '../../router.ts'
import { endpoints, forms } from '../../state/catalog.ts'
import { deliveryLog } from '../../state/deliveries.ts'
import { Button, Icon, type Option, optionsOf } from '../../ui/controls.tsx'
import { Filters, filterValue, QuerySearch } from '../../ui/filters.tsx'
import { MenuButton, type MenuItems } from '../../ui/menu.tsx'
import { deliveriesText, ReplayFailed } from './bulk-actions.tsx'
import { errorsOf, SPANS, VIEWS, type ViewCounts } from './filter.ts'

const asShown = (text: string) => [text, text] as const

const RESULTS = [
  ['failed', 'Any failed attempt'],
  ...['2xx', '3xx', '4xx', '5xx'].map(asShown),
  ['none', 'No response'],
] as const

/** The error classes of the log and of the URL, for the filter. */
const errorClasses = computed(() => {
  const classes = new Set(deliveryLog.list.value.flatMap(errorsOf) as string[])
  const chosen = filterValue('result')
  if (chosen !== '' && RESULTS.every(([value]) => value !== chosen)) classes.add(chosen)
  return [...classes].sort().map(asShown)
})

/** A filter: the URL parameter that it sets, its name, and its options. */
type Kind = readonly [name: string, text: string, options: () => readonly Option[]]

const KINDS: readonly Kind[] = [
  ['result', 'Response', () => [...RESULTS, ...errorClasses.value]],
  ['form', 'Form', () => optionsOf(forms.data.value ?? [])],
  [
    'webhook',
    'Endpoint',
    () =>
      (endpoints.data.value ?? []).map(({ id, url }) => [id, `#${id} ${withoutScheme(url).slice(0, 60)}`]),
  ],
  ['since', 'Created', () => Object.entries(SPANS).map(([value, { text }]) => [value, text] as const)],
]

/** Deliveries that a link lists alone: what an advance of the clock has attempted, or a bulk action has sent. */
const LINKED: Kind = [
  'ids',
  'Only',
  () => [[filterValue('ids'), deliveriesText(filterValue('ids').split(',').length)]],
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

/** The saved views, each with the number of deliveries that it has with the other filters. */
const Views = ({ counts }: { counts: ViewCounts }) => (
  <nav class="box switch" aria-label="Saved views">
    {VIEWS.map(([status, text, title]) => (
      <a
        key={status}
        href={withQuery({ status })}
        aria-current={filterValue('status') === status ? 'true' : undefined}
        title={title}
      >
        {text} <span class="muted regular">{counts[status].toLocaleString('en')}</span>
      </a>
    ))}
  </nav>
)

export function DeliveryFilters({ shown, counts }: { shown: readonly Delivery[]; counts: ViewCounts }) {
  const total = deliveryLog.list.value.length
  const status = filterValue('status')
  const chosen = [...KINDS, LINKED].filter(([name]) => filterValue(name) !== '')
  return (
    <Filters
      isSet={chosen.length > 0 || filterValue('q') !== '' || !VIEWS.some(([view]) => view === status)}
      tally={shown.length === total || status !== '' ? '' : `${shown.length} of ${total}`}
      actions={<ReplayFailed list={shown} />}
    >
      <Views counts={counts} />
      <QuerySearch label="Search payload, error, host" />
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
