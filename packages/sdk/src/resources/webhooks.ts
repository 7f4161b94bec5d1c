import type { CreatedWebhookEndpoint, Deleted, WebhookCreate, WebhookEndpoint } from '@formwire/contract'
import { OutcomeUnknownError } from '../errors/client-errors.ts'
import type { ApiPromise } from '../http/api-promise.ts'
import { path } from '../http/path.ts'
import type { RequestOptions } from '../options.ts'
import type { PagePromise } from '../pagination/pages.ts'
import type { Requester } from '../requester.ts'

/** `formwire.webhooks`: the webhook endpoints of a form. */
export class Webhooks {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** Lists the endpoints of a form, at most 10, without their secrets (HOOK-01). @throws NotFoundError */
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
   * Creates an endpoint. Save its `secret`: it is not shown again (HOOK-02). Requires a write key.
   *
   * Retried only if the service certainly did not process the request: no connection was established, or a 429.
   *
   * @example const { secret } = await formwire.webhooks.create(formId, { url: 'https://example.com/hook' })
   * @throws OutcomeUnknownError if the response is lost. @throws ValidationError for a URL that breaks the address rules (HOOK-04) or an
   *   11th endpoint (HOOK-06). @throws ForbiddenError with a read-only key (AUTH-03). @throws NotFoundError
   */
  create(
    formId: string,
    endpoint: WebhookCreate,
    options?: RequestOptions,
  ): ApiPromise<CreatedWebhookEndpoint> {
    return this.#requester.item<CreatedWebhookEndpoint>(
      {
        method: 'POST',
        path: path`/forms/${formId}/webhooks`,
        body: endpoint,
        parameters: ['url'],
        schema: 'createdWebhookEndpoint',
      },
      options,
      {
        unknown: (cause) =>
          new OutcomeUnknownError(
            `POST /forms/${formId}/webhooks lost its response (${cause.name}). If webhooks.list("${formId}") contains the url, delete that endpoint; then create it again.`,
            { method: cause.method, path: cause.path, attempts: cause.attempts },
            { cause },
          ),
      },
    )
  }

  /**
   * Deletes an endpoint with its delivery log and its pending deliveries (HOOK-03). Requires a write key. If the response is lost, the
   * request is retried, and a 404 then counts as success.
   *
   * @throws NotFoundError @throws ForbiddenError with a read-only key (AUTH-03).
   */
  delete(formId: string, id: number, options?: RequestOptions): ApiPromise<Deleted> {
    return this.#requester.item<Deleted>(
      { method: 'DELETE', path: path`/forms/${formId}/webhooks/${id}`, schema: 'deleted' },
      options,
      { done: { id, deleted: true } },
    )
  }
}
