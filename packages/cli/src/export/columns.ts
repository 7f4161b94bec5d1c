import type { FormResponse } from '@formwire/contract'

/** One question as a column. */
export interface QuestionColumn {
  id: string
  title: string
}

/**
 * Collects the questions of a form from its responses, since the API does not list them and a response omits skipped
 * questions. A new question is inserted after its predecessor in the response, which keeps the order of the form.
 */
export class QuestionColumns {
  readonly #columns: QuestionColumn[] = []
  readonly #known = new Set<string>()

  /** Adds the questions of one response. */
  add(response: Pick<FormResponse, 'answers'>): void {
    let after = -1
    for (const { question_id: id, title } of response.answers) {
      if (this.#known.has(id)) {
        after = Math.max(
          after,
          this.#columns.findIndex((column) => column.id === id),
        )
        continue
      }
      after += 1
      this.#columns.splice(after, 0, { id, title })
      this.#known.add(id)
    }
  }

  /** Whether a question has a column. */
  has(id: string): boolean {
    return this.#known.has(id)
  }

  /** The questions in the order of the form. */
  get all(): readonly QuestionColumn[] {
    return this.#columns
  }

  /** Returns one title per column. Questions with the same title also get their id. */
  headers(): string[] {
    const count = new Map<string, number>()
    for (const { title } of this.#columns) count.set(title, (count.get(title) ?? 0) + 1)
    return this.#columns.map(({ id, title }) => ((count.get(title) ?? 0) > 1 ? `${title} (${id})` : title))
  }
}
