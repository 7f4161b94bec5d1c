import type { Delivery } from '@formwire/contract/control'
import { computed } from '@preact/signals'
import { useState } from 'preact/hooks'
import { shownText, withoutScheme } from '../../format.ts'
import { endpoints, forms } from '../../state/catalog.ts'
import { deliveryLog } from '../../state/deliveries.ts'
import { Button, Icon, optionsOf } from '../../ui/controls.tsx'
import { Choice, Filters, filterValue, QueryChoice, QueryInstant, QuerySearch } from '../../ui/filters.tsx'
import { errorsOf, SPANS } from './filter.ts'

const RESULTS = [
  ['failed', 'Any failed attempt'],
  ['2xx', '2xx'],
  ['3xx', '3xx'],
  ['4xx', '4xx'],
  ['5xx', '5xx'],
  ['none', 'No response'],
] as const

/** The error classes of the log and of the URL, for the filter. */
const errorClasses = computed(() => {
  const classes = new Set(deliveryLog.list.value.flatMap(errorsOf) as string[])
  const chosen = filterValue('result')
  if (chosen !== '' && RESULTS.every(([value]) => value !== chosen)) classes.add(chosen)
  return [...classes].sort()
})

const CUSTOM = 'custom'

const TIMES = [
  ...Object.entries(SPANS).map(([value, { text }]) => [value, text] as const),
  [CUSTOM, 'Between two times…'] as const,
]

const NAMES = ['status', 'result', 'form', 'webhook', 'event']

/** The option that shows the filters of time: a bar of the overview sets both instants, a figure the first one. */
const chosenTime = (): string =>
  filterValue('since') || (filterValue('from') === '' && filterValue('to') === '' ? '' : CUSTOM)

/** Whether no instant is in the range. */
const isBackwards = (): boolean => Date.parse(filterValue('from')) > Date.parse(filterValue('to'))

/** The first and the last instant of the list. */
function Instants() {
  return (
    <div class="row full instants">
      <QueryInstant label="From (UTC)" name="from" />
      <QueryInstant label="To (UTC)" name="to" />
      {isBackwards() ? (
        <p class="field-error" role="alert">
          “From” is later than “To”, so no delivery matches.
        </p>
      ) : null}
    </div>
  )
}

/** The filters of the delivery log, behind a button on phones. */
export function DeliveryFilters({ shown, total }: { shown: readonly Delivery[]; total: number }) {
  const endpointOptions = (endpoints.data.value ?? []).map(
    ({ id, url }) => [id, `#${id} ${withoutScheme(url).slice(0, 60)}`] as const,
  )
  const [isOpen, setOpen] = useState(false)
  const time = chosenTime()
  const chosen = [time, ...NAMES.map(filterValue)].filter((value) => value !== '').length
  return (
    <Filters tally={shownText(shown.length, total, 'delivery', 'deliveries')}>
      <QuerySearch label="Search payload, error, host" byWord />
      <Button
        class="button phone-only"
        aria-expanded={isOpen}
        aria-controls="log-filters"
        run={() => setOpen(!isOpen)}
      >
        Filters{chosen > 0 ? ` (${chosen})` : ''}
        <Icon name={isOpen ? 'up' : 'down'} />
      </Button>
      <div class={`choices ${isOpen ? '' : 'is-closed'}`} id="log-filters">
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
        <QueryChoice
          label="Response"
          name="result"
          any="Any response"
          options={[...RESULTS, ...errorClasses.value.map((one) => [one, one] as const)]}
        />
        <QueryChoice label="Form" name="form" any="Any form" options={optionsOf(forms.data.value ?? [])} />
        <QueryChoice label="Endpoint" name="webhook" any="Any endpoint" options={endpointOptions} />
        <QueryChoice
          label="Event"
          name="event"
          any="Any event"
          options={['response.submitted', 'test.ping'].map((event) => [event, event])}
        />
        <Choice
          label="Created"
          value={time}
          any="Any time"
          options={TIMES}
          changes={(since) => (since === CUSTOM ? { since } : { since, from: '', to: '' })}
        />
      </div>
      {time === CUSTOM ? <Instants /> : null}
    </Filters>
  )
}
