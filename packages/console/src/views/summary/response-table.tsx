import type { FormResponse } from '@formwire/contract'
import type { BuilderForm } from '@formwire/contract/control'
import { useEffect, useState } from 'preact/hooks'
import { formPath, list } from '../../api.ts'
import { count } from '../../format.ts'
import { link } from '../../router.ts'
import { deliveryPulse } from '../../state/deliveries.ts'
import { useResource } from '../../state/resource.ts'
import { Button } from '../../ui/controls.tsx'
import { Empty, NotLoaded, Stale, useRefreshing } from '../../ui/loading.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Line, Time } from '../../ui/values.tsx'
import { ExportButtons } from './export-buttons.tsx'

const PER_PAGE = 50

/** The questions of the form, then those that only responses have: they were removed from the form. */
function columnsOf(form: BuilderForm, responses: readonly FormResponse[]): TableColumn<FormResponse>[] {
  const titles = new Map(form.questions.map(({ id, title }) => [id, title]))
  for (const { question_id: id, title } of responses.flatMap(({ answers }) => answers))
    if (!titles.has(id)) titles.set(id, title)
  return [
    {
      label: 'ID',
      isName: true,
      cell: ({ id }) => <a href={link(['forms', form.id, 'responses', id])}>#{id}</a>,
    },
    { label: 'Time', cell: (response) => <Time at={response.submitted_at ?? response.started_at} /> },
    ...[...titles].map(([id, title]) => {
      const answerOf = ({ answers }: FormResponse) => answers.find((one) => one.question_id === id)
      return {
        label: <Line value={title} />,
        // As narrow as numbers are, however long the title is.
        class: responses.some((one) => typeof answerOf(one)?.value === 'number') ? 'number' : '',
        cell: (response: FormResponse) => <Line value={answerOf(response)?.text ?? ''} />,
      }
    }),
  ]
}

/** The responses of a form as a table with a column for each question, page by page. */
export function ResponseTable({ form }: { form: BuilderForm }) {
  const [page, setPage] = useState(1)
  const path = `${formPath(form.id)}/responses?per_page=${PER_PAGE}&page=${page}`
  const responses = useResource(list<FormResponse>, path)
  useRefreshing(responses, deliveryPulse)
  const loaded = responses.data.value
  const total = loaded?.meta?.total ?? 0
  const pages = Math.max(1, Math.ceil(total / PER_PAGE))
  // Responses may be deleted while the last page is shown.
  useEffect(() => {
    if (loaded && page > pages) setPage(pages)
  }, [loaded, page, pages])
  if (!loaded) return <NotLoaded of={responses} what="the responses" />
  if (total === 0) return <Empty title="No responses yet">Submitted responses appear here.</Empty>
  const first = (page - 1) * PER_PAGE + 1
  return (
    <>
      <Stale of={[responses]} />
      <div class="row table-bar">
        <span class="muted" role="status">
          {first.toLocaleString('en')}–{(first + loaded.data.length - 1).toLocaleString('en')} of{' '}
          {count(total, 'response')}
        </span>
        <span class="row">
          <Button class="button small" isOff={page === 1} run={() => setPage(page - 1)}>
            Newer
          </Button>
          <Button class="button small" isOff={page >= pages} run={() => setPage(page + 1)}>
            Older
          </Button>
        </span>
        <span class="spring" />
        <ExportButtons form={form} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form control; this is a box that scrolls. */}
      <div
        class="scroll answer-table"
        role="group"
        aria-label="Responses, a column for each question"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        <Table columns={columnsOf(form, loaded.data)} items={loaded.data} />
      </div>
    </>
  )
}
