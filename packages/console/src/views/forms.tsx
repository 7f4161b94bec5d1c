import type { BuilderForm } from '@formwire/contract/control'
import { useEffect } from 'preact/hooks'
import { shownText } from '../format.ts'
import { go, link } from '../router.ts'
import { endpoints, forms, liveForms, workspaceById, workspaces } from '../state/catalog.ts'
import { deliveryPulse } from '../state/deliveries.ts'
import { act } from '../ui/announcer.tsx'
import { Button, Icon, optionsOf } from '../ui/controls.tsx'
import { Copy } from '../ui/copy.tsx'
import { Filters, filterKey, filterValue, QueryChoice, QuerySearch, searchWords } from '../ui/filters.tsx'
import { type Column, column, Grid } from '../ui/grid.tsx'
import { Empty, isLoaded, NoRows, Stale, useRefreshing } from '../ui/loading.tsx'
import { Badge, Code, Line, Time } from '../ui/values.tsx'
import { hasEdits } from './builder/drafts.ts'
import { createForm } from './builder/form-commands.tsx'
import { FormMenu } from './form-actions.tsx'
import { Heading } from './heading.tsx'

const stateOf = (form: BuilderForm): string => (form.trashed ? 'trashed' : form.status)

const editsOf = (form: BuilderForm) => {
  const state = hasEdits(form) ? 'unsaved' : form.unpublished_changes && !form.trashed && 'unpublished'
  return state && <Badge state={state} />
}

const endpointsOf = ({ id }: BuilderForm) =>
  endpoints.data.value?.filter((one) => one.form_id === id).length || <span class="muted">–</span>

const workspaceOf = ({ workspace_id: id }: BuilderForm) => (
  <Line value={workspaceById.value.get(id ?? -1)?.name ?? ''} />
)

const COLUMNS: readonly Column<BuilderForm>[] = [
  column('status', 'Status', '5.75rem', (form) => <Badge state={stateOf(form)} />),
  column('title', 'Title', 'minmax(6rem, 2fr)', (form) => (
    <>
      <a href={link(['forms', form.id])} tabIndex={-1}>
        <Line value={form.title} />
      </a>
      {editsOf(form)}
    </>
  )),
  column('edits', '', '', editsOf, Number.POSITIVE_INFINITY),
  column('id', 'ID', '8.5rem', ({ id }) => <Code value={id} />, 76),
  column('count', 'Responses', '7rem', ({ response_count: responses, response_limit: limit }) => (
    <>
      {responses.toLocaleString('en')}
      {/* A column of its own where a form has a limit. */}
      {forms.data.value?.some((form) => form.response_limit !== null) ? (
        <span class="muted limit">{limit === null ? '' : `of ${limit.toLocaleString('en')}`}</span>
      ) : null}
    </>
  )),
  column('hooks', 'Endpoints', '4.75rem', endpointsOf, 76),
  column('workspace', 'Workspace', 'minmax(5rem, 1fr)', workspaceOf, 76),
  column('when', 'Updated', '5.75rem', (form) => <Time at={form.updated_at} />, 72),
  column('actions', 'Actions', '9rem', (form) => (
    <>
      {form.status === 'published' && !form.trashed ? (
        <>
          <a
            class="button small icon-only"
            href={form.url}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`Open the public form of ${form.title}`}
            title="Open the public form"
          >
            <Icon name="preview" />
          </a>
          <Copy text={form.url} what={`the link of ${form.title}`} isIcon />
        </>
      ) : null}
      <FormMenu form={form} isOfRow />
    </>
  )),
]

const STATES = {
  draft: 'Draft',
  published: 'Published',
  closed: 'Closed',
  archived: 'Archived',
  trashed: 'In the trash',
}

const NARROW = { columns: 'auto minmax(0, 1fr) auto', areas: '"title title actions" "status edits actions"' }

/** All forms, including those in the trash. */
export function FormsView() {
  useRefreshing(forms, deliveryPulse)
  useEffect(() => {
    if (!endpoints.data.peek()) void endpoints.freshen()
  }, [])
  const all = forms.data.value ?? []
  const text = searchWords()
  const status = filterValue('status')
  const workspace = filterValue('workspace')
  const list = all.filter(
    (form) =>
      // A form in the trash is listed only where the trash is asked for.
      (status === '' ? !form.trashed : stateOf(form) === status) &&
      (workspace === '' || String(form.workspace_id) === workspace) &&
      (text === '' || `${form.title}\n${form.id}\n${form.slug}`.toLowerCase().includes(text)),
  )
  const live = liveForms.value.length
  const total = status === 'trashed' ? all.length - live : live
  return (
    <>
      <Heading
        title="Forms"
        actions={
          <Button class="button primary" run={() => act(createForm)}>
            New form
          </Button>
        }
      />
      <Filters tally={shownText(list.length, total, 'form')}>
        <QuerySearch label="Search title, ID, slug" />
        <QueryChoice label="Status" name="status" any="Any status" options={Object.entries(STATES)} />
        <QueryChoice
          label="Workspace"
          name="workspace"
          any="Any workspace"
          options={optionsOf(workspaces.data.value ?? [])}
        />
      </Filters>
      <Stale of={[forms]} />
      {list.length > 0 ? (
        <Grid
          key={filterKey()}
          label="Forms"
          class="forms"
          columns={COLUMNS}
          narrow={NARROW}
          items={list}
          keyOf={({ id }) => id}
          onOpen={({ id }) => go(link(['forms', id]))}
        />
      ) : live > 0 || !isLoaded(forms) ? (
        <NoRows of={forms} what="forms" total={live} />
      ) : all.length > 0 ? (
        <Empty title="All forms are in the trash" icon="forms">
          Create one with the button above, or{' '}
          <a href={link(['forms'], { status: 'trashed' })}>restore one from the trash</a>.
        </Empty>
      ) : (
        <Empty title="No forms yet" icon="forms">
          Create one with the button above, or with the control API.
        </Empty>
      )}
    </>
  )
}
