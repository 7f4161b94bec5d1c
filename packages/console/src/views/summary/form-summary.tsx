import type { BuilderForm, FormSummary, QuestionSummary } from '@formwire/contract/control'
import { formPath, get } from '../../api.ts'
import { count, percentText, seconds } from '../../format.ts'
import { link } from '../../router.ts'
import { deliveryPulse } from '../../state/deliveries.ts'
import { useResource } from '../../state/resource.ts'
import { Empty, NotLoaded, Stale, useRefreshing } from '../../ui/loading.tsx'
import { Figure, Line, Passage, Time } from '../../ui/values.tsx'
import { typeName } from '../builder/model.ts'
import { ExportButtons } from './export-buttons.tsx'

interface Bar {
  readonly label: string
  readonly count: number
  readonly tone?: string
}

interface BarsProps {
  readonly bars: readonly Bar[]
  readonly total: number
  readonly isDense?: boolean
}

/**
 * A list of labelled bars: how many of `total` answers each has. A full bar is all of them.
 *
 * @param isDense For many short labels, such as numbers: without percentages, and the longest bar fills the width.
 */
function Bars({ bars, total, isDense = false }: BarsProps) {
  const full = Math.max(1, isDense ? 0 : total, ...bars.map(({ count }) => count))
  return (
    <ul class={`bars ${isDense ? 'dense' : ''}`}>
      {bars.map(({ label, count, tone = '' }, index) => (
        <li key={index} class="bar">
          <span class="bar-label">
            <Line value={label} />
          </span>
          <span class="bar-track">
            <span
              class={`bar-fill ${tone}`}
              aria-hidden="true"
              style={{ width: `${(count / full) * 100}%` }}
            />
          </span>
          <span class="bar-count">
            {count.toLocaleString('en')}
            {isDense || total === 0 ? null : <span class="muted"> · {percentText(count / total)}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Answers({ question, form }: { question: QuestionSummary; form: BuilderForm }) {
  const { answered, choices, other = 0, numbers, nps, ranks, rows, latest } = question
  if (answered === 0) return <p class="muted">No answers yet.</p>
  const hasOther = other > 0 || form.questions.find(({ id }) => id === question.question_id)?.allow_other
  return (
    <>
      {nps ? (
        <>
          <p class="nps-score">
            <strong>{nps.score > 0 ? `+${nps.score}` : `${nps.score}`.replace('-', '−')}</strong>{' '}
            <span class="muted">net promoter score</span>
          </p>
          <Bars
            total={nps.promoters + nps.passives + nps.detractors}
            bars={[
              { label: 'Promoters (9–10)', count: nps.promoters, tone: 'good' },
              { label: 'Passives (7–8)', count: nps.passives, tone: 'wait' },
              { label: 'Detractors (0–6)', count: nps.detractors, tone: 'bad' },
            ]}
          />
        </>
      ) : null}
      {choices ? (
        <Bars
          total={answered}
          bars={[
            ...[...choices].sort((a, b) => b.count - a.count),
            ...(hasOther ? [{ label: 'Other', count: other }] : []),
          ]}
        />
      ) : null}
      {numbers ? (
        <>
          <p>
            <strong>{numbers.average}</strong> <span class="muted">average</span> · {numbers.median}{' '}
            <span class="muted">median</span> · {numbers.min} <span class="muted">to</span> {numbers.max}
          </p>
          <Bars
            isDense
            total={answered}
            bars={numbers.tally.map(({ from, to, count: amount }) => ({
              label: from === to ? String(from) : `${from} – ${to}`,
              count: amount,
              ...(nps && { tone: from >= 9 ? 'good' : from >= 7 ? 'wait' : 'bad' }),
            }))}
          />
        </>
      ) : null}
      {ranks ? (
        <ol class="ranks">
          {ranks.map(({ id, label, average }) => (
            <li key={id}>
              <Line value={label} /> <span class="muted">average rank {average}</span>
            </li>
          ))}
        </ol>
      ) : null}
      {rows?.map((row) => (
        <section key={row.id} class="stack grid-tally">
          <h3>
            <Line value={row.label} />
          </h3>
          <Bars total={answered} bars={row.choices} isDense />
        </section>
      ))}
      {latest ? (
        <ul class="latest">
          {latest.map(({ response_id: id, text }) => (
            <li key={id}>
              <Passage value={text} label={`Answer of response ${id}`} />
              <a href={link(['forms', form.id, 'responses', id])}>#{id}</a>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

function Question({ question, form, of }: { question: QuestionSummary; form: BuilderForm; of: FormSummary }) {
  const { title, type, answered, drafts_ended: ended, removed } = question
  return (
    <li class="card">
      <header class="item between">
        <h2>
          <Line value={title} />
        </h2>
        <span class="type">{typeName(type)}</span>
      </header>
      <p class="muted">
        {count(answered, 'answer')} of {of.counted_responses.toLocaleString('en')}
        {removed ? ' · removed from the form' : ''}
      </p>
      <Answers question={question} form={form} />
      {ended > 0 ? (
        <p class="drop-off">
          <span class="badge wait">{count(ended, 'person', 'people')}</span> stopped here
        </p>
      ) : null}
    </li>
  )
}

/** The answers of a form, question by question. */
export function FormSummaryView({ form }: { form: BuilderForm }) {
  const summary = useResource(get<FormSummary>, `${formPath(form.id)}/summary`)
  useRefreshing(summary, deliveryPulse)
  const loaded = summary.data.value
  if (!loaded) return <NotLoaded of={summary} what="the summary" />
  const { responses, drafts, median_duration_sec: median, average_score: score } = loaded
  const facts = {
    responses: responses.toLocaleString('en'),
    drafts: drafts.toLocaleString('en'),
    'completion rate': responses + drafts === 0 ? '–' : percentText(responses / (responses + drafts)),
    'median duration': median === null ? '–' : seconds(median),
    ...(score !== null && { [`average score of ${loaded.max_score ?? '–'}`]: score }),
  }
  const isPartial = loaded.counted_responses < responses || loaded.counted_drafts < drafts
  return (
    <div class="stack scroll page form-summary">
      <Stale of={[summary]} />
      <div class="row between summary-head">
        <dl class="row fact-row">
          {Object.entries(facts).map(([label, value]) => (
            <Figure key={label} class="fact" label={label}>
              {value}
            </Figure>
          ))}
        </dl>
        <ExportButtons form={form} />
      </div>
      {isPartial ? (
        <p class="note">
          Based on the newest {count(loaded.counted_responses, 'response')} of {facts.responses}
          {loaded.counted_since ? (
            <>
              , since <Time at={loaded.counted_since} />
            </>
          ) : null}
          , and the newest {count(loaded.counted_drafts, 'draft')}. Exports include all of them.
        </p>
      ) : null}
      {loaded.questions.length === 0 ? (
        <Empty title="No questions yet">
          <a href={link(['forms', form.id, 'edit'])}>Add questions</a> to this form.
        </Empty>
      ) : (
        <ol class="cards">
          {loaded.questions.map((question) => (
            <Question key={question.question_id} question={question} form={form} of={loaded} />
          ))}
        </ol>
      )}
    </div>
  )
}
