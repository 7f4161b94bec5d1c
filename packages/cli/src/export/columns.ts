import { CSV_FACTS, CSV_OTHER_ANSWERS, type FormResponse } from '@formwire/contract'
import { MetaColumns, uniqueNames } from '@formwire/internal/csv-columns'
import { MergedOrder } from '@formwire/internal/merged-order'
import { safeLine } from '../output/text-safety.ts'

/** One question as a column. */
export interface QuestionColumn {
  id: string
  title: string
}

/**
 * Collects the questions of a form from its responses, since the API does not list them and a response omits skipped
 * questions. They are in the order of the form as far as the responses show it.
 */
export class QuestionColumns {
  /** Those of `meta`, after the questions. */
  readonly meta = new MetaColumns()
  readonly #order = new MergedOrder()
  readonly #titles = new Map<string, string>()
  /** `all`, and the order that it was made of. */
  #columns: readonly QuestionColumn[] = []
  #columnsOf: readonly string[] = []

  /** Adds the questions and the meta of one response. */
  add(response: Pick<FormResponse, 'answers'> & Partial<Pick<FormResponse, 'meta'>>): void {
    this.meta.add(response.meta)
    this.#order.add(response.answers.map(({ question_id: id }) => id))
    for (const { question_id: id, title } of response.answers) {
      if (!this.#titles.has(id)) this.#titles.set(id, title)
    }
  }

  /** Whether a question has a column. */
  has(id: string): boolean {
    return this.#titles.has(id)
  }

  /** The questions in the order of the form. */
  get all(): readonly QuestionColumn[] {
    const order = this.#order.all
    if (this.#columnsOf !== order) {
      this.#columnsOf = order
      this.#columns = order.map((id) => ({ id, title: this.#titles.get(id) ?? '' }))
    }
    return this.#columns
  }

  /** Returns the names of all columns for questions and `meta`, each another one, without regard to case. */
  headers(): string[] {
    const safe = (columns: readonly QuestionColumn[]) =>
      columns.map(({ id, title }) => ({ id: safeLine(id), title: safeLine(title) }))
    const fixed = [...CSV_FACTS, CSV_OTHER_ANSWERS]
    const meta = uniqueNames(safe(this.meta.all), fixed)
    return [...uniqueNames(safe(this.all), [...fixed, ...meta]), ...meta]
  }
}
