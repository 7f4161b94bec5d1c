import type { FormResponse } from '@formwire/contract'

/** One question as a column. */
export interface QuestionColumn {
  id: string
  title: string
}

/**
 * The questions of a form, gathered from its responses: the API does not list them, and each response leaves out what
 * was skipped. A question not seen before takes its place after the one it followed, which keeps the order of the form.
 */
export class QuestionColumns {
  readonly #columns: QuestionColumn[] = []
  readonly #known = new Set<string>()

  /** Takes in the questions of one response. */
  add(response: FormResponse): void {
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

  /** The questions in the order of the form. */
  get all(): readonly QuestionColumn[] {
    return this.#columns
  }

  /** One title a column; where two questions share a title the id tells them apart. */
  headers(): string[] {
    const count = new Map<string, number>()
    for (const { title } of this.#columns) count.set(title, (count.get(title) ?? 0) + 1)
    return this.#columns.map(({ id, title }) => ((count.get(title) ?? 0) > 1 ? `${title} (${id})` : title))
  }
}
