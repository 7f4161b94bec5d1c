import type { FormResponse } from '@formwire/contract'
import { sortableInstant } from '@formwire/internal/newest-first'
import { PullError } from './pull-error.ts'
import { checkRow } from './shapes.ts'

/**
 * Watches whether a list is newest first (RESP-01). A response that is newer than the last one is left out: it was read before, or has arrived
 * meanwhile, and is first in the list then. Any other would be lost in silence.
 */
export class ListOrder {
  readonly #formId: string
  readonly #wasRead: (id: number) => boolean
  /** The instant of the response that was first when the list was first read. */
  readonly #first: string
  #arrived: FormResponse | undefined

  /** @param page the first page @param first the instant of the response that was first in an earlier run @throws PullError for a page in another order */
  constructor(
    formId: string,
    page: readonly FormResponse[],
    first: string,
    wasRead: (id: number) => boolean,
  ) {
    this.#formId = formId
    this.#wasRead = wasRead
    this.#first = first || (page[0] ? instantOf(formId, page[0]) : '')
    for (const [index, row] of page.entries()) {
      const before = page[index - 1]
      if (before && instantOf(formId, row) > instantOf(formId, before)) throw this.#disorder(row)
    }
  }

  /** Takes a response that is left out. @throws PullError if it would be lost */
  skip(row: FormResponse): void {
    if (this.#wasRead(row.id)) return
    const instant = instantOf(this.#formId, row)
    if (instant < this.#first) throw this.#disorder(row)
    if (!this.#arrived || instant > instantOf(this.#formId, this.#arrived)) this.#arrived = row
  }

  /** Checks at the end that what has arrived is first now. @param read returns the first page @throws PullError */
  async end(read: () => PromiseLike<{ data: readonly FormResponse[] }>): Promise<void> {
    if (!this.#arrived) return
    const [first] = (await read()).data
    if (!first || instantOf(this.#formId, first) < instantOf(this.#formId, this.#arrived))
      throw this.#disorder(this.#arrived)
  }

  #disorder({ id }: FormResponse): PullError {
    return new PullError(
      'invalid_response',
      `form ${this.#formId} does not list its responses newest first: response ${id} is newer than one before it`,
    )
  }
}

/** Returns when a response was submitted, at full precision. @throws PullError for one without a date */
export function instantOf(formId: string, row: FormResponse): string {
  const what = checkRow(formId, row)
  const instant = sortableInstant(row.submitted_at)
  if (instant !== undefined) return instant
  throw new PullError('invalid_response', `${what} has no valid submitted_at`)
}
