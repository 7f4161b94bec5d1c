import type { CreatedWebhookEndpoint, Deleted, WebhookCreate, WebhookEndpoint } from '@formwire/contract'
import type { ApiPromise } from '../api-promise.ts'
import { OutcomeUnknownError } from '../errors/outcome-unknown-error.ts'
import { path } from '../http/path.ts'
import type { RequestOptions } from '../options.ts'
import type { PagePromise } from '../pagination.ts'
import type { Requester } from '../requester.ts'

/** `formwire.webhooks`: the webhook endpoints of a form. */
export class Webhooks {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** The endpoints of a form, at most 10. Their secrets are never shown (HOOK-01). @throws NotFoundError */
  list(formId: string, options?: RequestOptions): PagePromise<WebhookEndpoint> {
    return this.#requester.list<WebhookEndpoint>(
      {
        method: 'GET',
        path: path`/forms/${formId}/webhooks`,
        schema: 'webhookEndpoint',
        shape: 'short-list',
      },
      options,
    )
  }

  /**
   * Adds an endpoint. Its `secret` is in this answer and never again (HOOK-02): keep it. Needs a write key.
   *
   * Sent again only when it certainly was not carried out: the connection never came up, or a 429.
   *
   * @throws OutcomeUnknownError when the answer was lost. @throws ValidationError for an address that breaks the rules (HOOK-04)
   *   or an 11th endpoint (HOOK-06). @throws ForbiddenError with a read-only key. @throws NotFoundError
   */
  create(
    formId: string,
    { url }: WebhookCreate,
    options?: RequestOptions,
  ): ApiPromise<CreatedWebhookEndpoint> {
    return this.#requester.item<CreatedWebhookEndpoint>(
      {
        method: 'POST',
        path: path`/forms/${formId}/webhooks`,
        body: { url },
        schema: 'createdWebhookEndpoint',
      },
      options,
      {
        unknown: (cause) =>
          new OutcomeUnknownError(
            `POST /forms/${formId}/webhooks was sent, its answer lost (${cause.name}): it may exist. If webhooks.list("${formId}") has its url, delete it there; then create it again.`,
            { method: cause.method, path: cause.path, attempts: cause.attempts },
            { cause },
          ),
      },
    )
  }

  /**
   * Removes an endpoint with its log; attempts that wait never happen (HOOK-03). Needs a write key. Retried when the answer is
   * lost; finding it gone then counts as done. @throws NotFoundError @throws ForbiddenError with a read-only key.
   */
  delete(formId: string, id: number, options?: RequestOptions): ApiPromise<Deleted> {
    return this.#requester.item<Deleted>(
      { method: 'DELETE', path: path`/forms/${formId}/webhooks/${id}`, schema: 'deleted' },
      options,
      { done: { id, deleted: true } },
    )
  }
}
