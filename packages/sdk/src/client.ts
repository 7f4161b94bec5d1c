import { API_ROOT, type Me } from '@formwire/contract'
import type { ApiPromise } from './api-promise.ts'
import { type FormwireOptions, type RequestOptions, readOptions } from './options.ts'
import { Requester } from './requester.ts'
import { Forms } from './resources/forms.ts'
import { Responses } from './resources/responses.ts'
import { Webhooks } from './resources/webhooks.ts'

/** What is left of the rate budget of a client's key in this process. */
export interface BudgetView {
  /** Requests that may start right now; `Infinity` with `rateLimit: false`. */
  readonly remaining: number
  /** Requests a minute. */
  readonly perMinute: number
  /** Milliseconds for which a 429 still holds the key back; 0 when nothing does. */
  readonly heldForMs: number
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
  /** Responses of a form, and polling for new ones. */
  readonly responses: Responses
  /** Webhook endpoints of a form. */
  readonly webhooks: Webhooks
  /** What is left of the rate budget. */
  readonly budget: BudgetView
  readonly #requester: Requester

  /** @throws UsageError when the key or the base URL is missing or wrong. */
  constructor(options: FormwireOptions = {}) {
    const settings = readOptions(options)
    const requester = new Requester(settings, options, `${settings.baseUrl}${API_ROOT}`)
    this.#requester = requester
    this.forms = new Forms(requester)
    this.responses = new Responses(requester)
    this.webhooks = new Webhooks(requester)
    this.budget = budgetView(requester)
  }

  /** Who the key belongs to and what it reaches (ME-01). @throws UnauthorizedError */
  me(options?: RequestOptions): ApiPromise<Me> {
    return this.#requester.item<Me>({ method: 'GET', path: '/me', schema: 'me' }, options)
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
  }
}
