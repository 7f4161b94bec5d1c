import { API_ROOT, type Me } from '@formwire/contract'
import { type CustomRequest, customRequest } from './custom-request.ts'
import type { ApiPromise } from './http/api-promise.ts'
import { type FormwireOptions, type RequestOptions, readOptions } from './options.ts'
import { Requester } from './requester.ts'
import { Forms } from './resources/forms.ts'
import { Responses } from './resources/responses.ts'
import { Webhooks } from './resources/webhooks.ts'

/** The rate budget of the client's key in this process. */
export interface BudgetView {
  /** Requests that may start now; `Infinity` with `rateLimit: false`. */
  readonly remaining: number
  /** Requests per minute. */
  readonly perMinute: number
  /** Milliseconds until a 429 no longer blocks the key; 0 when nothing blocks it. */
  readonly heldForMs: number
  /** Requests that this client has sent so far, retries included. */
  readonly sent: number
}

/**
 * Client of the Formwire API.
 *
 * @example
 * const formwire = new Formwire({ apiKey, baseUrl })
 * for await (const form of formwire.forms.list({ status: 'published' })) console.log(form.title)
 */
export class Formwire {
  /** Forms of the key's workspace. */
  readonly forms: Forms
  /** Responses of a form, including polling for new ones. */
  readonly responses: Responses
  /** Webhook endpoints of a form. */
  readonly webhooks: Webhooks
  /** Rate budget of the key. Live values. */
  readonly budget: BudgetView
  /** URL of the service in one spelling: without a default port or a slash at the end. */
  readonly baseUrl: string
  readonly #requester: Requester

  /** @throws UsageError if an option is unknown or invalid, or if the key or the base URL is missing. */
  constructor(options: FormwireOptions = {}) {
    const settings = readOptions(options)
    const requester = new Requester(settings, options, `${settings.baseUrl}${API_ROOT}`)
    this.#requester = requester
    this.baseUrl = settings.baseUrl
    this.forms = new Forms(requester)
    this.responses = new Responses(requester)
    this.webhooks = new Webhooks(requester)
    this.budget = budgetView(requester)
  }

  /**
   * Returns the user, the workspace and the scope of the key (ME-01).
   *
   * @throws UnauthorizedError if the key is missing, wrong or revoked.
   */
  me(options?: RequestOptions): ApiPromise<Me> {
    return this.#requester.item<Me>({ method: 'GET', path: '/me', schema: 'me' }, options)
  }

  /**
   * Sends a request for which the client has no method, such as one to an endpoint that was added later, with the same retries,
   * errors and rate budget. Returns the object in `data`, a {@link Page} if `data` is a list, or `undefined` if the body is empty.
   * `validate` does not apply.
   *
   * @example const tag = await formwire.request<Tag>({ method: 'POST', path: `/forms/${id}/tags`, body: { name: 'urgent' } })
   * @example const page = await formwire.request<Page<Tag>>({ path: '/tags', query: { per_page: 50 } })
   * @throws UsageError if the request is invalid. @throws OutcomeUnknownError if the response to a POST is lost.
   */
  request<Data = unknown>(request: CustomRequest, options?: RequestOptions): ApiPromise<Data> {
    return customRequest(this.#requester, request, options)
  }
}

function budgetView(requester: Requester): BudgetView {
  const { perMinute, clock } = requester.settings
  return {
    perMinute,
    get remaining() {
      return requester.budget().remaining(perMinute)
    },
    get heldForMs() {
      return Math.max(0, requester.budget().heldUntil - clock.now())
    },
    get sent() {
      return requester.observer.sent
    },
  }
}
