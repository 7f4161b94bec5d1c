import { useEffect } from 'preact/hooks'
import { count, withoutScheme } from '../format.ts'
import { go, link } from '../router.ts'
import { type Endpoint, endpoints, formById, liveForms } from '../state/catalog.ts'
import { Button } from '../ui/controls.tsx'
import { Filters, filterKey, filterValue, QueryChoice, QuerySearch, searchWords } from '../ui/filters.tsx'
import { type Column, column, Grid } from '../ui/grid.tsx'
import { Empty, NoRows, Stale } from '../ui/loading.tsx'
import { Health, Line, Result, Time } from '../ui/values.tsx'
import { addEndpoint, EndpointMenu, MainAction } from './endpoint-actions.tsx'
import { tallyText } from './figures.ts'
import { Heading } from './heading.tsx'

const tallyOf = ({ log }: Endpoint) => <Line class="muted" value={tallyText(log)} />

const COLUMNS: readonly Column<Endpoint>[] = [
  column('status', 'Status', '15.75rem', ({ health }) => <Health of={health} />),
  column('url', 'URL', 'minmax(9rem, 1.45fr)', ({ id, url }) => (
    <>
      <span class="muted">#{id}</span>
      <a href={link(['endpoints', id])} tabIndex={-1}>
        <bdi class="line" title={url}>
          {withoutScheme(url)}
        </bdi>
      </a>
    </>
  )),
  column('form', 'Form', 'minmax(5rem, 1fr)', ({ form_id: id }) => (
    <a href={link(['forms', id, 'endpoints'])} tabIndex={-1}>
      <Line value={formById.value.get(id)?.title ?? id} />
    </a>
  )),
  column('log', 'Log', 'minmax(11.75rem, 0.6fr)', tallyOf, 90),
  column(
    'last',
    'Last response',
    '6.25rem',
    ({ log }) => log.last_attempt && <Result of={log.last_attempt} />,
  ),
  column('when', 'Added', '5.75rem', ({ created_at: at }) => <Time at={at} />, 98),
  column('actions', 'Actions', '15.5rem', (endpoint) => (
    <>
      <MainAction endpoint={endpoint} class="button small" />
      <EndpointMenu endpoint={endpoint} />
    </>
  )),
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
