import type { Output } from '../output/output.ts'
import { grouped } from '../output/progress.ts'

const ANSWER = 'answer.'
/** Ids of questions that a message names. */
const NAMED = 30

/**
 * Checks the `answer.ID` columns and fields of a list against its items. The API does not list the questions of a form, and a
 * response omits those that were skipped, so that an id without answers may be valid: it is reported, not refused.
 */
export class UnansweredColumns {
  readonly #unanswered: Set<string>
  readonly #answered = new Set<string>()
  #count = 0

  /** @param names names of columns or fields */
  constructor(names: readonly string[] = []) {
    this.#unanswered = new Set(
      names.filter((name) => name.startsWith(ANSWER)).map((name) => name.slice(ANSWER.length)),
    )
  }

  /** Notes the answers of an item that is shown. */
  add(item: object): void {
    this.#count += 1
    if (this.#unanswered.size === 0) return
    const { answers = [] } = item as { answers?: readonly { question_id: string }[] }
    for (const { question_id: id } of answers) {
      this.#unanswered.delete(id)
      this.#answered.add(id)
    }
  }

  /** Reports the ids without an answer, with the ids that have one. */
  report(output: Output): void {
    if (this.#count === 0 || this.#unanswered.size === 0 || output.quiet) return
    const missing = [...this.#unanswered].map((id) => `"${id}"`).join(' or ')
    const who =
      this.#count === 1
        ? 'the response shown has no answer'
        : `none of the ${grouped(this.#count)} responses shown has an answer`
    output.announce('unanswered_columns', `${who} to ${missing}; answered questions: ${this.#known()}`)
  }

  #known(): string {
    const ids = [...this.#answered]
    return ids.length === 0 ? 'none' : ids.slice(0, NAMED).join(', ') + (ids.length > NAMED ? ', …' : '')
  }
}
