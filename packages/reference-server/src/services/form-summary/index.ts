import type { Answer, FormResponse, KnownResponseStatus } from '@formwire/contract'
import type { FormSummary } from '@formwire/contract/control'
import type { Context } from '../../context.ts'
import type { FormRecord } from '../../domain/form.ts'
import { nextTurn } from '../../real-timers.ts'
import type { ResponsesTable } from '../../store/responses.ts'
import { findForm } from '../forms.ts'
import { average, median, QuestionTally } from './question-tally.ts'

/** Most responses, and most drafts, that are counted: the newest. A form may have a million. */
const COUNTED_MAX = 2_000
/** Responses that are read before other requests get a turn: about 2 ms of work. */
const RESPONSES_PER_TURN = 100
/** Forms whose summaries are kept. */
const KEPT_MAX = 20

/**
 * Returns a function that summarizes the answers of a form. A summary is kept until a response or the form changes, and is made
 * in small turns, so that it delays no other request.
 */
export function createFormSummary(context: Context): (formId: string) => Promise<FormSummary> {
  const kept = new Map<
    string,
    { readonly key: string; readonly state: object; readonly summary: Promise<FormSummary> }
  >()
  return (formId) => {
    const { state } = context
    const form = findForm(context, formId)
    const { responses } = state
    const totals = (['submitted', 'in_progress'] as const).map(
      (status) => responses.list(formId, status, undefined, 0, 0).total,
    )
    const key = [form.revision, responses.revision, ...totals].join(' ')
    const before = kept.get(formId)
    if (before?.key === key && before.state === state) return before.summary
    // A fork, so that a response that arrives meanwhile moves no page.
    const summary = summarize(form, responses.fork())
    kept.delete(formId)
    kept.set(formId, { key, state, summary })
    if (kept.size > KEPT_MAX)
      for (const [oldest] of [...kept].slice(0, kept.size - KEPT_MAX)) kept.delete(oldest)
    return summary
  }
}

async function summarize(form: FormRecord, responses: ResponsesTable): Promise<FormSummary> {
  const tallies = new Map(form.questions.map((question) => [question.id, new QuestionTally(question)]))
  /** A question that was removed from the form comes after the others. */
  const tallyOf = ({ question_id: id, title, type }: Answer): QuestionTally => {
    const tally = tallies.get(id) ?? new QuestionTally({ id, title, type }, true)
    tallies.set(id, tally)
    return tally
  }
  const read = async (status: KnownResponseStatus, add: (response: FormResponse) => void) => {
    const { items, total } = responses.list(form.id, status, undefined, 0, COUNTED_MAX)
    for (const [index, { json }] of items.entries()) {
      if (index > 0 && index % RESPONSES_PER_TURN === 0) await nextTurn()
      add(JSON.parse(json) as FormResponse)
    }
    return { total, counted: items.length }
  }
  const durations: number[] = []
  const scores: number[] = []
  let maxScore: number | null = null
  let since: string | null = null
  // Newest first.
  const submitted = await read('submitted', (response) => {
    since = response.submitted_at
    durations.push(response.duration_sec)
    if (response.score !== null) {
      scores.push(response.score)
      maxScore = Math.max(maxScore ?? 0, response.max_score ?? 0)
    }
    for (const answer of response.answers) tallyOf(answer).add(answer, response.id)
  })
  const drafts = await read('in_progress', ({ answers }) => {
    const last = answers.at(-1)
    if (last) tallyOf(last).draftsEnded += 1
  })
  return {
    form_id: form.id,
    responses: submitted.total,
    counted_responses: submitted.counted,
    drafts: drafts.total,
    counted_drafts: drafts.counted,
    counted_since: since,
    median_duration_sec: median(durations),
    average_score: average(scores),
    max_score: maxScore,
    questions: Array.from(tallies.values(), (tally) => tally.view()),
  }
}
