import type { Deleted, FormResponse, ResponseListQuery } from '@formwire/contract'
import type { ApiPromise } from '../http/api-promise.ts'
import { path } from '../http/path.ts'
import type { RequestOptions } from '../options.ts'
import type { PagePromise } from '../pagination/pages.ts'
import { type PollOptions, poll } from '../polling/poll.ts'
import { type WalkedResponse, type WalkOptions, walk } from '../polling/walk.ts'
import type { Requester } from '../requester.ts'

/** Query of {@link Responses.list}. `since` also accepts a Date. */
export interface ResponseListParams extends Omit<ResponseListQuery, 'since'> {
  /** Returns only responses submitted (drafts: last saved) at or after this instant, in UTC if it has no zone (RESP-02). */
  since?: string | Date | undefined
}

/** `formwire.responses`: the responses of a form. */
export class Responses {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /**
   * Lists submitted responses, newest first, or drafts with the status `in_progress` (RESP-01). Await it for one page, or iterate it
   * for every response. To receive new responses continuously, use {@link poll}.
   *
   * @example for await (const response of formwire.responses.list(formId, { since: '2026-11-01' })) console.log(response.id)
   * @throws ValidationError for an invalid status, since, page or per_page. @throws NotFoundError
   */
  list(formId: string, query: ResponseListParams = {}, options?: RequestOptions): PagePromise<FormResponse> {
    return this.#requester.list<FormResponse>(
      {
        method: 'GET',
        path: path`/forms/${formId}/responses`,
        query,
        parameters: ['status', 'since', 'page', 'per_page'],
        schema: 'response',
        isMoving: query.status === 'in_progress',
      },
      options,
    )
  }

  /** Returns a response. @throws NotFoundError also for a response of another form (RESP-03). */
  get(formId: string, id: number, options?: RequestOptions): ApiPromise<FormResponse> {
    return this.#requester.item<FormResponse>(
      { method: 'GET', path: path`/forms/${formId}/responses/${id}`, schema: 'response' },
      options,
    )
  }

  /**
   * Permanently deletes a response with its answers and uploaded files (RESP-04). Requires a write key. If the HTTP response is lost,
   * the request is retried, and a 404 then counts as success.
   *
   * @throws NotFoundError @throws ForbiddenError with a read-only key (AUTH-03).
   */
  delete(formId: string, id: number, options?: RequestOptions): ApiPromise<Deleted> {
    return this.#requester.item<Deleted>(
      { method: 'DELETE', path: path`/forms/${formId}/responses/${id}`, schema: 'deleted' },
      options,
      { done: { id, deleted: true } },
    )
  }

  /**
   * Yields the responses of a form in order, and after each one its position, from which another walk continues. The list may change
   * meanwhile: what exists from start to end comes exactly once, what arrives meanwhile may be left out. Two changes show nowhere: a
   * response that is imported in the middle of the list while another is deleted can hide one, and a draft that is saved without any
   * change of its content counts as unmoved. Outages throw after the retries of the client: continue from the last position.
   *
   * @example
   * for await (const { response, position } of formwire.responses.walk(formId, { order: 'oldest' })) await write(response, position)
   * @throws UsageError at the call if an option is unknown or invalid. @throws NotFoundError
   * @throws PaginationError if the list is not newest first, ignores `page`, never ends, or moves faster than it can be read.
   */
  walk(formId: string, options: WalkOptions): AsyncGenerator<WalkedResponse, void, undefined> {
    return walk(this.#requester, formId, options)
  }

  /**
   * Yields the submitted responses of a form, oldest first: exactly once within a run, at least once across crashes (POLL-01,
   * POLL-02). Runs until `signal` aborts, which ends the loop without an error, or with `once` until the end of the backlog.
   *
   * Requesting the next response acknowledges the current one: only then does the checkpoint move past it. If handling fails, the
   * response is yielded again by the next run. Outages, for which `isOutage` is true, pause the poll; permanent errors end it.
   *
   * @example
   * const checkpoint = fileCheckpoint('./checkpoints')
   * for await (const response of formwire.responses.poll(formId, { checkpoint })) await handle(response)
   * @throws UsageError at the call if an option is unknown or invalid.
   * @throws NotFoundError if the form is deleted. @throws UnauthorizedError if the key is revoked.
   * @throws CheckpointError for more than 100,000 responses at one instant, a damaged state, or a checkpoint in use by another poll.
   */
  poll(formId: string, options: PollOptions = {}): AsyncGenerator<FormResponse, void, undefined> {
    return poll(this.#requester, formId, options)
  }

  /**
   * Yields new responses like {@link poll}, but in batches, for writing many at once. A batch has at most `saveEvery` responses, and
   * more if many share one instant. Requesting the next batch acknowledges and saves the current one.
   *
   * @example
   * for await (const responses of formwire.responses.pollBatches(formId, { checkpoint, saveEvery: 500 })) await insert(responses)
   * @throws the errors of {@link poll}
   */
  pollBatches(formId: string, options: PollOptions = {}): AsyncGenerator<FormResponse[], void, undefined> {
    return poll(this.#requester, formId, options, true)
  }
}
