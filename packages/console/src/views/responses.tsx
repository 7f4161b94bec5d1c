import type { FormResponse } from '@formwire/contract'
import type { BuilderForm } from '@formwire/contract/control'
import { useEffect, useState } from 'preact/hooks'
import { formPath, list } from '../api.ts'
import { count, seconds } from '../format.ts'
import { go, link } from '../router.ts'
import { deliveryPulse } from '../state/deliveries.ts'
import { useResource } from '../state/resource.ts'
import { Button } from '../ui/controls.tsx'
import { Filters, filterKey, QuerySearch, searchWords } from '../ui/filters.tsx'
import { type Column, column, Grid } from '../ui/grid.tsx'
import { Empty, NotLoaded, Stale, useRefreshing } from '../ui/loading.tsx'
import { neighboursOf, Split } from '../ui/pane.tsx'
import { Line, Time } from '../ui/values.tsx'
import { ResponsePane } from './response.tsx'
import { ExportButtons } from './summary/export-buttons.tsx'

/** As many as the server returns at most. */
const PER_PAGE = 100

/** Returns the responses of all pages, for a search. @throws CallError */
async function listAll(path: string): Promise<readonly FormResponse[]> {
  const all: FormResponse[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await list<FormResponse>(`${path}&page=${page}`)
    all.push(...data)
    if (data.length === 0 || all.length >= (meta?.total ?? 0)) return all
  }
}

const matches = (response: FormResponse, text: string): boolean =>
  `${response.id}\n${response.email ?? ''}\n${JSON.stringify(response.answers)}\n${JSON.stringify(response.meta)}`
    .toLowerCase()
    .includes(text)

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
    column('when', 'Time', '7rem', (of) => <Time at={of.submitted_at ?? of.started_at} />),
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

interface ResponsesPanelProps {
  readonly form: BuilderForm
  readonly status: 'submitted' | 'in_progress'
  readonly openId: string | undefined
}

/** The responses or drafts of a form with a column for each question, newest first and page by page, with the open one beside the list. */
export function ResponsesPanel({ form, status, openId }: ResponsesPanelProps) {
  const isDrafts = status === 'in_progress'
  const tab = isDrafts ? 'drafts' : 'responses'
  const text = searchWords()
  const isSearch = text !== ''
  const [page, setPage] = useState(1)
  const path = `${formPath(form.id)}/responses?status=${status}&per_page=${PER_PAGE}`
  const paged = useResource(list<FormResponse>, `${path}&page=${page}`)
  const searched = useResource(listAll, path)
  useRefreshing(isSearch ? undefined : paged, deliveryPulse)
  useEffect(() => {
    if (isSearch) void searched.refresh()
  }, [isSearch, searched])
  const of = isSearch ? searched : paged
  const loaded = isSearch ? searched.data.value : paged.data.value?.data
  const total = paged.data.value?.meta?.total ?? 0
  const pages = Math.max(1, Math.ceil(total / PER_PAGE))
  // Responses may be deleted while the last page is shown.
  useEffect(() => {
    if (paged.data.value && page > pages) setPage(pages)
  }, [paged.data.value, page, pages])

  const rows = (loaded ?? []).filter((response) => !isSearch || matches(response, text))
  const urlOf = ({ id }: FormResponse) => link(['forms', form.id, tab, id], { q: text })
  const openIndex = rows.findIndex(({ id }) => String(id) === openId)
  const columns = columnsOf(form, rows, urlOf)
  const first = (page - 1) * PER_PAGE + 1
  const range = pages > 1 ? `${first}–${first + rows.length - 1} of ` : ''
  return (
    <>
      <Filters
        isSpoken
        tally={
          isSearch
            ? loaded
              ? count(rows.length, 'match', 'matches')
              : ''
            : `${range}${count(total, isDrafts ? 'draft' : 'response')}`
        }
        actions={
          <>
            {pages > 1 && !isSearch ? (
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
      </Filters>
      <Stale of={[of]} />
      <Split
        pane={
          openId ? (
            <ResponsePane
              key={openId}
              formId={form.id}
              id={openId}
              tab={tab}
              refresh={() => of.refresh()}
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
        ) : !loaded ? (
          <NotLoaded of={of} what={tab} />
        ) : isSearch ? (
          <Empty title="No matching responses">
            Try a different search. The search covers answers, email, metadata and ID.
          </Empty>
        ) : (
          <NothingYet form={form} isDrafts={isDrafts} />
        )}
      </Split>
    </>
  )
}
