import type { FormResponse } from '@formwire/contract'
import type { BuilderForm } from '@formwire/contract/control'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { serverUrl } from '../api.ts'
import { count, seconds } from '../format.ts'
import { go, link } from '../router.ts'
import { deliveryPulse } from '../state/deliveries.ts'
import { ResponsePages, submittedHere } from '../state/response-pages.ts'
import { Button } from '../ui/controls.tsx'
import { Filters, filterKey, QuerySearch, searchWords } from '../ui/filters.tsx'
import { Empty, Failed, Loading } from '../ui/loading.tsx'
import { neighboursOf, Split } from '../ui/pane.tsx'
import { Line, Time } from '../ui/values.tsx'
import { type Column, column, VirtualGrid } from '../ui/virtual-grid.tsx'
import { ResponsePane } from './response.tsx'
import { useSubmitCommand } from './submit-command.ts'

const WATCH_MS = 4_000

const matches = (response: FormResponse, text: string): boolean =>
  `${response.id}\n${response.email ?? ''}\n${JSON.stringify(response.answers)}\n${JSON.stringify(response.meta)}`
    .toLowerCase()
    .includes(text)

/** The columns, without those that no response of the list fills. A response that is not loaded yet has only the first. */
const columnsFor = (
  responses: readonly FormResponse[],
  urlOf: (response: FormResponse) => string,
): readonly Column<FormResponse | undefined>[] => [
  column('id', 'ID', '4.5rem', (response) =>
    response ? (
      <a href={urlOf(response)} tabIndex={-1}>
        #{response.id}
      </a>
    ) : (
      '…'
    ),
  ),
  ...COLUMNS.filter(({ name }) => responses.some((one) => one[name as 'email'] !== null)),
]

const COLUMNS: readonly Column<FormResponse | undefined>[] = [
  column('when', 'Time', '7rem', (of) => of && <Time at={of.submitted_at ?? of.started_at} />),
  column(
    'answers',
    'Answers',
    'minmax(8rem, 2fr)',
    (of) => of && <Line value={of.answers.map(({ text }) => text.slice(0, 120)).join(' · ')} />,
  ),
  column('email', 'Email', 'minmax(6rem, 1fr)', (of) => <Line value={of?.email ?? ''} />),
  {
    name: 'score',
    label: 'Score',
    width: '5rem',
    from: 72,
    cell: (of) => of && of.score !== null && `${of.score} / ${of.max_score ?? '–'}`,
  },
  column('elapsed', 'Duration', '6.75rem', (of) => of && seconds(of.duration_sec)),
]

const NARROW = { columns: 'minmax(0, 1fr) auto', areas: '"answers id" "when ."' }

/** Returns by how much the number of responses changed since the list was loaded. Checked every few seconds. */
function useDifference(pages: ResponsePages): number {
  const [difference, setDifference] = useState(0)
  useEffect(() => {
    const watching = setInterval(async () => {
      if (document.visibilityState === 'hidden') return
      const now = await pages.currentTotal()
      const known = pages.total.peek()
      if (now === undefined || known === undefined) return
      // An empty list shows the first response automatically.
      if (known === 0 && now > 0) pages.restart()
      else setDifference(now - known)
    }, WATCH_MS)
    return () => clearInterval(watching)
  }, [pages])
  useEffect(() => pages.total.subscribe(() => setDifference(0)), [pages])
  return difference
}

function NothingYet({ form, status }: { form: BuilderForm; status: string }) {
  const isOpen = !form.trashed && form.status === 'published'
  const isDrafts = status === 'in_progress'
  const saving = `curl ${serverUrl()}/f/${form.slug}/drafts -H 'Content-Type: application/json' -d '{"answers":[]}'`
  const submitting = useSubmitCommand(isOpen && !isDrafts ? form : undefined)
  return (
    <Empty
      title={isDrafts ? 'No saved drafts' : 'No responses yet'}
      icon="forms"
      command={isOpen ? (isDrafts ? saving : submitting) : undefined}
    >
      {!isOpen
        ? `The form is ${form.trashed ? 'in the trash' : form.status === 'draft' ? 'a draft' : form.status}, so its public link does not accept responses. Use the buttons above to change that.`
        : isDrafts
          ? 'Drafts that respondents save to finish later appear here:'
          : `Open the public form in a browser${submitting ? ', or submit a response from the shell:' : '.'}`}
    </Empty>
  )
}

interface ResponsesPanelProps {
  readonly form: BuilderForm
  readonly status: 'submitted' | 'in_progress'
  readonly openId: string | undefined
}

/** The responses or drafts of a form, newest first, with the open one beside the list. */
export function ResponsesPanel({ form, status, openId }: ResponsesPanelProps) {
  const tab = status === 'in_progress' ? 'drafts' : 'responses'
  const pages = useMemo(() => new ResponsePages(form.id, status), [form.id, status])
  useEffect(() => submittedHere.subscribe(() => pages.restart()), [pages])
  const difference = useDifference(pages)
  useEffect(() => deliveryPulse.subscribe(() => pages.total.peek() === 0 && pages.restart()), [pages])
  const onRange = useCallback((first: number, last: number) => pages.want(first, last), [pages])

  pages.version.value
  const text = searchWords()
  const total = pages.total.value ?? 0
  const searching = text !== ''
  const known = pages.loaded()
  useEffect(() => {
    if (searching && total > 0) pages.wantAll()
  }, [searching, total, pages])
  const found = searching ? known.filter((response) => matches(response, text)) : []
  const at = (index: number): FormResponse | undefined => (searching ? found[index] : pages.at(index))
  const rows = searching ? found.length : total
  const urlOf = ({ id }: FormResponse) => link(['forms', form.id, tab, id], { q: text })
  const urlAt = (index: number): string | undefined => {
    const response = at(index)
    return response && urlOf(response)
  }
  let openIndex = openId === undefined ? -1 : rows - 1
  while (openIndex >= 0 && String(at(openIndex)?.id) !== openId) openIndex--

  return (
    <>
      <Filters
        isSpoken
        tally={
          searching
            ? `${count(found.length, 'match', 'matches')}${known.length < total ? `, searched ${known.length} of ${total}` : ''}`
            : count(total, tab === 'drafts' ? 'draft' : 'response')
        }
      >
        <QuerySearch label="Search answers, email, ID" />
        {difference !== 0 && total > 0 ? (
          <Button class="button small" run={() => pages.restart()}>
            {difference > 0 ? `Show ${difference} new` : 'Refresh'}
          </Button>
        ) : null}
      </Filters>
      <Split
        pane={
          openId ? (
            <ResponsePane
              key={openId}
              formId={form.id}
              id={openId}
              tab={tab}
              pages={pages}
              neighbours={neighboursOf(openIndex, urlAt)}
            />
          ) : null
        }
      >
        {rows > 0 ? (
          <VirtualGrid
            key={filterKey()}
            label={tab === 'drafts' ? 'Drafts' : 'Responses'}
            class="responses"
            columns={columnsFor(known, urlOf)}
            narrow={NARROW}
            items={{ length: rows, at }}
            // By index, so that a focused row stays the same when its response is loaded.
            keyOf={(_, index) => String(index)}
            onOpen={(response) => response && go(urlOf(response))}
            openIndex={openIndex}
            onRange={searching ? undefined : onRange}
          />
        ) : pages.error.value ? (
          <Failed message={pages.error.value} onRetry={() => pages.restart()} />
        ) : searching ? (
          <Empty title="No matching responses">
            Try a different search. The search covers answers, email, metadata and ID.
          </Empty>
        ) : pages.total.value === undefined ? (
          <Loading what={tab} />
        ) : (
          <NothingYet form={form} status={status} />
        )}
      </Split>
    </>
  )
}
