import type { DeliveryPage } from '@formwire/contract/control'
import { withoutScheme } from '../../format.ts'
import { withQuery } from '../../router.ts'
import { endpoints, forms } from '../../state/catalog.ts'
import { MOST_IDS } from '../../state/deliveries.ts'
import { optionsOf } from '../../ui/controls.tsx'
import { Filters, filterValue, QueryChoice, QuerySearch } from '../../ui/filters.tsx'
import { deliveriesText, ReplayFailed } from './bulk-actions.tsx'

/** The tabs of the log: the value of the URL parameter `status`, and the name. */
const VIEWS = [
  ['', 'All'],
  ['retrying', 'Retrying'],
  ['failed', 'Failed'],
] as const

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

/** The deliveries that a link lists alone: what an advance of the clock has attempted, or a bulk action has sent. */
const linkedIds = (): readonly string[] => filterValue('ids').split(',').slice(0, MOST_IDS)

/**
 * Returns the filters of the URL as the query of `GET /_app/deliveries`.
 *
 * @param state Whether the tab is among them. @default true
 */
export function logQuery(state = true): string {
  const query = new URLSearchParams()
  const add = (name: string, value: string) => value !== '' && query.set(name, value)
  add('form_id', filterValue('form'))
  add('webhook_id', filterValue('webhook'))
  add('ids', linkedIds().join())
  if (state) add('state', filterValue('status'))
  return String(query)
}

interface DeliveryFiltersProps {
  /** `undefined` until they are loaded. */
  readonly counts: Counts | undefined
  readonly isSearching: boolean
}

export function DeliveryFilters({ counts, isSearching }: DeliveryFiltersProps) {
  const text = filterValue('q').trim()
  const only = filterValue('ids') && `Only ${deliveriesText(linkedIds().length)}`
  const query = `${logQuery(false)}${text && `&${new URLSearchParams({ q: text })}`}`
  const isOfTab = VIEWS.some(([status]) => status === filterValue('status'))
  return (
    <Filters
      isSet={!isOfTab || ['form', 'webhook', 'ids', 'q'].some(filterValue)}
      tally={isSearching ? 'Searching…' : only}
      actions={<ReplayFailed query={query} isOff={!counts?.failed} />}
    >
      <Views counts={counts} />
      <QuerySearch label="Search answers, error, host, ID" />
      <QueryChoice label="Form" name="form" any="Any form" options={optionsOf(forms.data.value ?? [])} />
      <QueryChoice
        label="Endpoint"
        name="webhook"
        any="Any endpoint"
        options={(endpoints.data.value ?? []).map(({ id, url }) => [
          id,
          `#${id} ${withoutScheme(url).slice(0, 60)}`,
        ])}
      />
    </Filters>
  )
}
