import { useEffect } from 'preact/hooks'
import { count, withoutScheme } from '../format.ts'
import { go, link } from '../router.ts'
import { type Endpoint, endpoints, formById, liveForms } from '../state/catalog.ts'
import { deliveryLog } from '../state/deliveries.ts'
import { Button } from '../ui/controls.tsx'
import { Filters, filterKey, filterValue, QueryChoice, QuerySearch, searchWords } from '../ui/filters.tsx'
import { type Column, Grid } from '../ui/grid.tsx'
import { Empty, NoRows, Stale } from '../ui/loading.tsx'
import { Health, Line, Result, Time } from '../ui/values.tsx'
import { addEndpoint, EndpointMenu, MainAction } from './endpoint-actions.tsx'
import { figuresOf, latestOf, tallyText } from './figures.ts'
import { Heading } from './heading.tsx'

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    name: 'status',
    label: 'Status',
    width: '15.75rem',
    cell: ({ health }) => <Health of={health} />,
  },
  {
    name: 'url',
    label: 'URL',
    width: 'minmax(9rem, 1.45fr)',
    cell: ({ id, url }) => (
      <>
        <span class="muted">#{id}</span>
        <a href={link(['endpoints', id])} tabIndex={-1}>
          <bdi class="line" title={url}>
            {withoutScheme(url)}
          </bdi>
        </a>
      </>
    ),
  },
  {
    name: 'form',
    label: 'Form',
    width: 'minmax(5rem, 1fr)',
    cell: ({ form_id: id }) => (
      <a href={link(['forms', id, 'endpoints'])} tabIndex={-1}>
        <Line value={formById.value.get(id)?.title ?? id} />
      </a>
    ),
  },
  {
    name: 'log',
    label: 'Log',
    width: 'minmax(11.75rem, 0.6fr)',
    from: 90,
    cell: ({ id }) => <Line class="muted" value={tallyText(figuresOf(deliveryLog.ofEndpoint(id)))} />,
  },
  {
    name: 'last',
    label: 'Last response',
    width: '6.25rem',
    cell: ({ id, health }) => {
      const last = latestOf(deliveryLog.ofEndpoint(id), health)
      return last ? <Result of={last} /> : null
    },
  },
  {
    name: 'when',
    label: 'Added',
    width: '7.25rem',
    from: 98,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
  {
    name: 'actions',
    label: 'Actions',
    width: '14.75rem',
    cell: (endpoint) => (
      <>
        <MainAction endpoint={endpoint} class="button small" />
        <EndpointMenu endpoint={endpoint} />
      </>
    ),
  },
]

const COLUMNS_OF_FORM = COLUMNS.filter(({ name }) => name !== 'form')

const STATES = { healthy: 'Healthy', failing: 'Failing', paused: 'Paused', unused: 'Never used' }

/** The form is beside the status if there is room (`grid.css`). */
const NARROW = {
  belowRem: 76,
  columns: 'minmax(0, 15.75rem) minmax(0, 1fr) auto',
  areas: '"url url actions" "status form last"',
}

const AddButton = ({ formId }: { formId?: string }) => (
  <Button class="button primary" run={() => addEndpoint(formId)}>
    Add an endpoint
  </Button>
)

/** The endpoints of one form, or of all forms. */
export function EndpointTable({ formId }: { formId?: string }) {
  // From then on, the whole console follows them.
  useEffect(() => void endpoints.freshen(), [])
  const text = searchWords()
  const status = filterValue('status')
  const all = (endpoints.data.value ?? []).filter(({ form_id: form }) => (formId ?? form) === form)
  const list = all.filter(({ id, url, form_id: form, health }) => {
    const searched = `${url}\n${id}\n${formById.value.get(form)?.title ?? ''}`.toLowerCase()
    return (status === '' || status === health.state) && searched.includes(text)
  })
  return (
    <>
      <Filters tally={count(list.length, 'endpoint')}>
        <QuerySearch label={formId === undefined ? 'Search URL, form, ID' : 'Search URL, ID'} />
        <QueryChoice label="Status" name="status" any="Any status" options={Object.entries(STATES)} />
        {formId === undefined ? null : <AddButton formId={formId} />}
      </Filters>
      <Stale of={[endpoints]} />
      {list.length > 0 ? (
        <Grid
          key={filterKey()}
          label="Endpoints"
          class="endpoints"
          columns={formId === undefined ? COLUMNS : COLUMNS_OF_FORM}
          narrow={NARROW}
          items={list}
          keyOf={({ id }) => String(id)}
          onOpen={({ id }) => go(link(['endpoints', id]))}
        />
      ) : (
        <NoRows of={endpoints} what="endpoints" total={all.length}>
          <Empty title="No endpoints yet" icon="endpoints">
            {formId !== undefined || liveForms.value.length > 0 ? (
              'Add one with the button above.'
            ) : (
              <>
                <a href={link(['forms'])}>Create a form</a> and add one.
              </>
            )}
          </Empty>
        </NoRows>
      )}
    </>
  )
}

export function EndpointsView() {
  return (
    <>
      <Heading title="Endpoints" actions={liveForms.value.length > 0 ? <AddButton /> : null} />
      <EndpointTable />
    </>
  )
}
