import type { FormResponse } from '@formwire/contract'
import { MergedOrder } from '@formwire/internal/merged-order'

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
  readonly #order = new MergedOrder()
  readonly #titles = new Map<string, string>()
  /** `all`, and the order that it was made of. */
  #columns: readonly QuestionColumn[] = []
  #columnsOf: readonly string[] = []

  /** Adds the questions of one response. */
  add(response: Pick<FormResponse, 'answers'>): void {
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

  /** Returns one title per column. Questions with the same title also get their id. */
  headers(): string[] {
    const count = new Map<string, number>()
    for (const { title } of this.all) count.set(title, (count.get(title) ?? 0) + 1)
    return this.all.map(({ id, title }) => ((count.get(title) ?? 0) > 1 ? `${title} (${id})` : title))
  }
}
