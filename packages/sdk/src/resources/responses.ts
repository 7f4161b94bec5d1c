import type { Deleted, FormResponse, ResponseListQuery } from '@formwire/contract'
import type { ApiPromise } from '../api-promise.ts'
import { path } from '../http/path.ts'
import type { RequestOptions } from '../options.ts'
import type { PagePromise } from '../pagination.ts'
import { type PollOptions, poll } from '../polling/poll.ts'
import type { Requester } from '../requester.ts'

/** Query of {@link Responses.list}; `since` also takes a Date. */
export interface ResponseListParams extends Omit<ResponseListQuery, 'since'> {
  /** Keeps responses submitted (drafts: last saved) at or after this instant; without a zone it is read as UTC (RESP-02). */
  since?: string | Date
}

/** `formwire.responses`: the responses of a form. */
export class Responses {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /**
   * Responses, newest first; submitted ones unless `status` says `in_progress` (RESP-01). Awaited one page, iterated every
   * response. To follow new ones use {@link poll}. @throws ValidationError @throws NotFoundError
   */
  list(formId: string, query: ResponseListParams = {}, options?: RequestOptions): PagePromise<FormResponse> {
    const { status, since, page, per_page } = query
    return this.#requester.list<FormResponse>(
      {
        method: 'GET',
        path: path`/forms/${formId}/responses`,
        query: { status, since, page, per_page },
        schema: 'response',
      },
      options,
    )
  }

  /** One response. @throws NotFoundError also for a response of another form (RESP-03). */
  get(formId: string, id: number, options?: RequestOptions): ApiPromise<FormResponse> {
    return this.#requester.item<FormResponse>(
      { method: 'GET', path: path`/forms/${formId}/responses/${id}`, schema: 'response' },
      options,
    )
  }

  /**
   * Deletes a response, its answers and its uploaded files; it cannot be undone (RESP-04). Needs a write key. Retried when the
   * answer is lost; finding it gone then counts as done. @throws NotFoundError @throws ForbiddenError with a read-only key.
   */
  delete(formId: string, id: number, options?: RequestOptions): ApiPromise<Deleted> {
    return this.#requester.item<Deleted>(
      { method: 'DELETE', path: path`/forms/${formId}/responses/${id}`, schema: 'deleted' },
      options,
      { done: { id, deleted: true } },
    )
  }

  /**
   * Follows a form's submitted responses, oldest first: each exactly once in one run, at least once over a crash (POLL-01,
   * POLL-02). Runs until `signal` aborts, which ends the loop without an error; with `once` until the backlog is read.
   *
   * The checkpoint moves past a response only when the next one is asked for, so one whose handling failed comes again.
   * A lost network, timeouts, 5xx and 429 pause it; errors that cannot pass end it.
   *
   * @throws NotFoundError when the form is deleted. @throws UnauthorizedError when the key is revoked.
   * @throws CheckpointError past 100,000 responses of one instant, or for a state that is none; what a store throws passes as it is.
   */
  poll(formId: string, options: PollOptions = {}): AsyncGenerator<FormResponse, void, undefined> {
    return poll(this.#requester, formId, options)
  }
}
