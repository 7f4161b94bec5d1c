import type { FormResponse, KnownResponseStatus } from '@formwire/contract'
import type { FormSummary } from '@formwire/contract/control'
import type { Context } from '../../context.ts'
import type { FormRecord } from '../../domain/form.ts'
import type { Question } from '../../domain/question/index.ts'
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
  const tally = new FormTally(form.questions)
  const read = async (status: KnownResponseStatus, add: (response: FormResponse) => void) => {
    const { items, total } = responses.list(form.id, status, undefined, 0, COUNTED_MAX)
    for (const [index, { json }] of items.entries()) {
      if (index > 0 && index % RESPONSES_PER_TURN === 0) await nextTurn()
      add(JSON.parse(json) as FormResponse)
    }
    return { total, counted: items.length }
  }
  const submitted = await read('submitted', (response) => tally.addResponse(response))
  const drafts = await read('in_progress', (draft) => tally.addDraft(draft))
  return {
    form_id: form.id,
    responses: submitted.total,
    counted_responses: submitted.counted,
    drafts: drafts.total,
    counted_drafts: drafts.counted,
    ...tally.view(),
  }
}

type Totals = Pick<
  FormSummary,
  'counted_since' | 'median_duration_sec' | 'average_score' | 'max_score' | 'questions'
>

/** Counts the answers of responses, newest first, and of drafts. */
export class FormTally {
  readonly #questions: Map<string, QuestionTally>
  readonly #durations: number[] = []
  readonly #scores: number[] = []
  #maxScore: number | null = null
  #since: string | null = null

  constructor(questions: readonly Question[]) {
    this.#questions = new Map(questions.map((question) => [question.id, new QuestionTally(question)]))
  }

  addResponse(response: FormResponse): void {
    this.#since = response.submitted_at
    this.#durations.push(response.duration_sec)
    if (response.score !== null) {
      this.#scores.push(response.score)
      this.#maxScore = Math.max(this.#maxScore ?? 0, response.max_score ?? 0)
    }
    for (const answer of response.answers) this.#tallyOf(answer).add(answer, response.id)
  }

  addDraft({ answers }: FormResponse): void {
    const last = answers.at(-1)
    if (last) this.#tallyOf(last).draftsEnded += 1
  }

  view(): Totals {
    return {
      counted_since: this.#since,
      median_duration_sec: median(this.#durations),
      average_score: average(this.#scores),
      max_score: this.#maxScore,
      questions: Array.from(this.#questions.values(), (tally) => tally.view()),
    }
  }

  /** A question that was removed from the form comes after the others. */
  #tallyOf(answer: FormResponse['answers'][number]): QuestionTally {
    const known = this.#questions.get(answer.question_id)
    if (known) return known
    const { question_id: id, title, type } = answer
    const removed = new QuestionTally({ id, title, type }, true)
    this.#questions.set(id, removed)
    return removed
  }
}
