import type { FormResponse } from '@formwire/contract'
import type { FormSummary } from '@formwire/contract/control'
import type { Question } from '../../domain/question/index.ts'
import { average, median } from './numbers.ts'
import { QuestionTally } from './question-tally.ts'

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
