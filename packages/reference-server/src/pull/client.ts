import type {
  Form,
  FormListQuery,
  FormResponse,
  KnownResponseStatus,
  Me,
  WebhookEndpoint,
} from '@formwire/contract'

interface CallOptions {
  signal?: AbortSignal | undefined
}

/** How far a list has been read: the last instant, and the responses at this instant that are done. */
export interface PullPosition {
  version: 1
  since: string
  ids: number[]
}

/** What is walked of the responses of a form. */
interface WalkQuery extends CallOptions {
  order: 'newest'
  status?: KnownResponseStatus
  from?: PullPosition | undefined
  until?: string | undefined
  onPage?: (page: { data: readonly FormResponse[]; meta: { total: number } }) => void
}

/** The part of the SDK's client that a pull uses: GET requests only. */
export interface PullClient {
  me(options?: CallOptions): PromiseLike<Me>
  readonly forms: {
    list(query?: FormListQuery, options?: CallOptions): AsyncIterable<Form>
    get(id: string, options?: CallOptions): PromiseLike<Form>
  }
  readonly responses: {
    walk(
      formId: string,
      query: WalkQuery,
    ): AsyncIterable<{ response: FormResponse; position: PullPosition | undefined }>
  }
  readonly webhooks: {
    list(formId: string, options?: CallOptions): AsyncIterable<WebhookEndpoint>
  }
}

/** Whether the service says that it does not have something, or not for this key. A page that is not its own says neither. */
export function isNotShown(error: unknown): boolean {
  const { status, envelope } = Object(error) as { status?: unknown; envelope?: unknown }
  return (status === 404 || status === 403) && envelope !== false
}

/** How to reach a service. */
export interface ServiceAccess {
  /** Root URL of the service, without `/api/v1`. @default the environment variable FORMWIRE_BASE_URL */
  baseUrl?: string | undefined
  /** A read-only key is enough. @default the environment variable FORMWIRE_API_KEY */
  apiKey?: string | undefined
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined
  /** `false` for a service without a rate limit. @default 120 requests a minute (RATE-01) */
  rateLimit?: false | undefined
}
