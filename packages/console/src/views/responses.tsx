import type { FormResponse } from '@formwire/contract'
import type { BuilderForm } from '@formwire/contract/control'
import { useEffect, useRef, useState } from 'preact/hooks'
import { formPath, list } from '../api.ts'
import { count, seconds } from '../format.ts'
import { go, link, route } from '../router.ts'
import { deliveryPulse } from '../state/deliveries.ts'
import { useResource } from '../state/resource.ts'
import { Button } from '../ui/controls.tsx'
import { Filters, filterKey, filterValue, QueryChoice, QuerySearch } from '../ui/filters.tsx'
import { type Column, column, Grid } from '../ui/grid.tsx'
import { Empty, NotLoaded, Stale, useRefreshing } from '../ui/loading.tsx'
import { neighboursOf, Split } from '../ui/pane.tsx'
import { Line, Time } from '../ui/values.tsx'
import { ResponsePane } from './response.tsx'
import { ExportButtons } from './summary/export-buttons.tsx'

/** As many as the server returns at most. */
const PER_PAGE = 100

/** Pause after a letter until the responses are searched. */
const TYPING_MS = 200

/** The columns of a narrow table only have the answers together. */
const ANSWERS = column<FormResponse>(
  'answers',
  '',
  '',
  ({ answers }) => <Line value={answers.map(({ text }) => text.slice(0, 120)).join(' · ')} />,
  Number.POSITIVE_INFINITY,
)

/** Columns that are left out if no response fills them. */
const OTHERS: readonly Column<FormResponse>[] = [
  column('email', 'Email', 'minmax(6rem, 1fr)', ({ email }) => <Line value={email ?? ''} />),
  column('score', 'Score', '5rem', (of) => of.score !== null && `${of.score} / ${of.max_score ?? '–'}`),
]

/** Returns a column for each question of the form, then for those that only responses have: they were removed from the form. */
function questionColumns(form: BuilderForm, responses: readonly FormResponse[]): Column<FormResponse>[] {
  const titles = new Map(form.questions.map(({ id, title }) => [id, title]))
  for (const { question_id: id, title } of responses.flatMap(({ answers }) => answers))
    if (!titles.has(id)) titles.set(id, title)
  return Array.from(titles, ([id, title], index) => ({
    name: `answer-${index}`,
    label: title,
    head: () => <Line value={title} />,
    width: 'minmax(8rem, 1fr)',
    cell: ({ answers }) => <Line value={answers.find((one) => one.question_id === id)?.text ?? ''} />,
  }))
}

function columnsOf(
  form: BuilderForm,
  responses: readonly FormResponse[],
  urlOf: (response: FormResponse) => string,
): readonly Column<FormResponse>[] {
  return [
    column('id', 'ID', '4.5rem', (response) => (
      <a href={urlOf(response)} tabIndex={-1}>
        #{response.id}
      </a>
    )),
    column('when', 'Time', '7rem', (of) => <Time at={of.submitted_at ?? of.started_at} isRelative />),
    ...questionColumns(form, responses),
    ANSWERS,
    ...OTHERS.filter(({ name }) => responses.some((one) => one[name as 'email'] !== null)),
    column('elapsed', 'Duration', '6.75rem', (of) => seconds(of.duration_sec)),
  ]
}

const NARROW = { columns: 'minmax(0, 1fr) auto', areas: '"answers id" "when ."' }

function NothingYet({ form, isDrafts }: { form: BuilderForm; isDrafts: boolean }) {
  const isOpen = !form.trashed && form.status === 'published'
  return (
    <Empty title={isDrafts ? 'No saved drafts' : 'No responses yet'} icon="forms">
      {!isOpen
        ? `The form is ${form.trashed ? 'in the trash' : form.status === 'draft' ? 'a draft' : form.status}, so its public link does not accept responses. Use the buttons above to change that.`
        : isDrafts
          ? 'Drafts that respondents save to finish later appear here.'
          : 'Open the public form and submit one.'}
    </Empty>
  )
}

/** Returns a text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** The responses or drafts of a form with a column for each question, newest first and page by page, with the open one beside the list. */
export function ResponsesPanel({ form, openId }: { form: BuilderForm; openId: string | undefined }) {
  const isDrafts = filterValue('status') === 'in_progress'
  const text = filterValue('q').trim()
  const status = isDrafts ? 'in_progress' : 'submitted'
  const query = new URLSearchParams({ status, per_page: String(PER_PAGE), q: useSettled(text) })
  const path = `${formPath(form.id)}/responses?${query}`
  const [at, setAt] = useState({ path, page: 1 })
  const page = at.path === path ? at.page : 1
  const setPage = (to: number) => setAt({ path, page: to })
  const responses = useResource(list<FormResponse>, `${path}&page=${page}`)
  useRefreshing(responses, deliveryPulse)
  const loaded = responses.data.value
  // What was found stays until the next search has ended.
  const before = useRef({ status, data: [] as readonly FormResponse[], total: 0 })
  if (loaded) before.current = { status, data: loaded.data, total: loaded.meta?.total ?? 0 }
  const isShown = before.current.status === status && responses.error.value === undefined
  const { data: rows, total } = loaded || isShown ? before.current : { data: [], total: 0 }
  const isSearching = text !== query.get('q') || !loaded
  const pages = Math.max(1, Math.ceil(total / PER_PAGE))
  // Responses may be deleted while the last page is shown.
  useEffect(() => {
    if (loaded && page > pages) setPage(pages)
  }, [loaded, page, pages])

  const urlOf = ({ id }: FormResponse) =>
    link(['forms', form.id, 'responses', id], Object.fromEntries(route.value.query))
  const openIndex = rows.findIndex(({ id }) => String(id) === openId)
  const columns = columnsOf(form, rows, urlOf)
  const first = (page - 1) * PER_PAGE + 1
  const range =
    pages > 1 ? `${first.toLocaleString('en')}–${(first + rows.length - 1).toLocaleString('en')} of ` : ''
  const amount =
    text === '' ? count(total, isDrafts ? 'draft' : 'response') : count(total, 'match', 'matches')
  return (
    <>
      <Filters
        isSpoken
        tally={isSearching ? (text === '' ? '' : 'Searching…') : `${range}${amount}`}
        actions={
          <>
            {pages > 1 ? (
              <>
                <Button isOff={page === 1} run={() => setPage(page - 1)}>
                  Newer
                </Button>
                <Button isOff={page >= pages} run={() => setPage(page + 1)}>
                  Older
                </Button>
              </>
            ) : null}
            {isDrafts ? null : <ExportButtons form={form} />}
          </>
        }
      >
        <QuerySearch label="Search answers, email, ID" />
        <QueryChoice label="Status" name="status" any="Submitted" options={[['in_progress', 'Drafts']]} />
      </Filters>
      <Stale of={[responses]} />
      <Split
        pane={
          openId ? (
            <ResponsePane
              key={openId}
              formId={form.id}
              id={openId}
              refresh={() => responses.refresh()}
              neighbours={neighboursOf(openIndex, (index) => rows[index] && urlOf(rows[index]))}
            />
          ) : null
        }
      >
        {rows.length > 0 ? (
          <Grid
            key={`${page} ${filterKey()}`}
            label={isDrafts ? 'Drafts' : 'Responses'}
            class="responses"
            columns={columns}
            leastRem={9 * columns.length}
            narrow={NARROW}
            items={rows}
            keyOf={({ id }) => String(id)}
            onOpen={(response) => go(urlOf(response))}
            openIndex={openIndex}
          />
        ) : isSearching ? (
          <NotLoaded of={responses} what={isDrafts ? 'drafts' : 'responses'} />
        ) : text !== '' ? (
          <Empty title="No matching responses">
            Try a different search. The search covers answers, email and ID.
          </Empty>
        ) : (
          <NothingYet form={form} isDrafts={isDrafts} />
        )}
      </Split>
    </>
  )
}
