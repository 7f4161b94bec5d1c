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
