import type {
  Form,
  FormListQuery,
  FormResponse,
  Me,
  ResponseListQuery,
  WebhookEndpoint,
} from '@formwire/contract'
import type { RowList } from '@formwire/internal/newest-first'

interface CallOptions {
  signal?: AbortSignal | undefined
}

/** The part of the SDK's client that a pull uses: GET requests only. */
export interface PullClient {
  me(options?: CallOptions): PromiseLike<Me>
  readonly forms: {
    list(query?: FormListQuery, options?: CallOptions): AsyncIterable<Form>
    get(id: string, options?: CallOptions): PromiseLike<Form>
  }
  readonly responses: {
    list(formId: string, query?: ResponseListQuery, options?: CallOptions): RowList<FormResponse>
  }
  readonly webhooks: {
    list(formId: string, options?: CallOptions): AsyncIterable<WebhookEndpoint>
  }
}

/** How to reach a service. */
export interface ServiceAccess {
  /** Root URL of the service, without `/api/v1`. @default the environment variable FORMWIRE_BASE_URL */
  baseUrl?: string
  /** A read-only key is enough. @default the environment variable FORMWIRE_API_KEY */
  apiKey?: string
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch
  /** `false` for a service without a rate limit. @default 120 requests a minute (RATE-01) */
  rateLimit?: false
}
