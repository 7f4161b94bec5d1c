import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import { openRequest, sendRequest } from '../http/request.ts'
import type { DeliveryDetails, DeliveryEntry } from './delivery.ts'
import { type ServerSentEvent, serverSentEvents } from './event-stream.ts'

/** What the client of the app's side needs. */
export interface AdminClientOptions {
  baseUrl: string
  token: string
  stop: AbortSignal
}

/** A form as the app's side lists it, as far as commands need it. */
export interface AdminForm {
  id: string
  title: string
}

const TIMEOUT_MS = 30_000

/** The app's side of a reference server (`/_app`): the delivery log and the clock. */
export class AdminClient {
  readonly #options: AdminClientOptions

  constructor(options: AdminClientOptions) {
    this.#options = options
  }

  /** The log of one endpoint, newest first, at most 50 entries (DLV-07). */
  async deliveries(formId: string, webhookId: number): Promise<DeliveryEntry[]> {
    return (await this.#data(
      'GET',
      `/forms/${encodeURIComponent(formId)}/webhooks/${webhookId}/deliveries`,
    )) as DeliveryEntry[]
  }

  /** One entry with its raw body and attempts. */
  async delivery(id: string): Promise<DeliveryDetails> {
    return (await this.#data('GET', `/deliveries/${encodeURIComponent(id)}`)) as DeliveryDetails
  }

  /** Queues a copy of a delivery; gives the new entry (DLV-08). */
  async replay(id: string): Promise<DeliveryEntry> {
    return (await this.#data('POST', `/deliveries/${encodeURIComponent(id)}/replay`)) as DeliveryEntry
  }

  /** Sends a test event to an endpoint; gives the new entry (DLV-02). */
  async test(formId: string, webhookId: number): Promise<DeliveryEntry> {
    return (await this.#data(
      'POST',
      `/forms/${encodeURIComponent(formId)}/webhooks/${webhookId}/test`,
    )) as DeliveryEntry
  }

  /** Every form of the server. */
  async forms(): Promise<AdminForm[]> {
    return (await this.#data('GET', '/forms')) as AdminForm[]
  }

  /** Ids of the endpoints of a form. */
  async webhookIds(formId: string): Promise<number[]> {
    const endpoints = (await this.#data('GET', `/forms/${encodeURIComponent(formId)}/webhooks`)) as {
      id: number
    }[]
    return endpoints.map(({ id }) => id)
  }

  /** The server's own time, in milliseconds since the epoch. */
  async now(): Promise<number> {
    const { now } = (await this.#data('GET', '/clock')) as { now: string | number }
    return typeof now === 'number' ? now : Date.parse(now)
  }

  /** Opens the stream of changes, from now or from after `lastEventId`; it ends when the connection ends. */
  async openStream(
    query: { form_id?: string; webhook_id?: string },
    lastEventId: string | undefined,
  ): Promise<AsyncGenerator<ServerSentEvent>> {
    const search = new URLSearchParams(query).toString()
    const answer = await openRequest({
      url: this.#url(`/deliveries/stream${search === '' ? '' : `?${search}`}`),
      method: 'GET',
      headers: {
        ...this.#headers(),
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      stop: this.#options.stop,
    })
    if (answer.statusCode === 200) return serverSentEvents(answer)
    const chunks: Buffer[] = []
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
    throw this.#failure(answer.statusCode ?? 0, Buffer.concat(chunks).toString(), 'GET', '/deliveries/stream')
  }

  async #data(method: string, path: string): Promise<unknown> {
    const { status, body } = await sendRequest({
      url: this.#url(path),
      method,
      headers: { ...this.#headers(), ...(method === 'GET' ? {} : { 'content-length': 0 }) },
      timeoutMs: TIMEOUT_MS,
      stop: this.#options.stop,
    })
    const text = body.toString()
    if (status < 200 || status > 299) throw this.#failure(status, text, method, path)
    const data = parse(text)?.data
    if (data === undefined)
      throw new Failure(`${method} /_app${path} did not answer with JSON data`, NO_SERVER)
    return data
  }

  #url(path: string): string {
    return `${this.#options.baseUrl}/_app${path}`
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#options.token}`, accept: 'application/json' }
  }

  #failure(status: number, body: string, method: string, path: string): Failure {
    const error = parse(body)?.error as
      | { code?: string; message?: string; details?: Record<string, unknown> }
      | undefined
    if (!error) return new Failure(`${method} /_app${path} answered ${status}`, NO_SERVER)
    const facts = {
      code: error.code ?? `http_${status}`,
      status,
      ...(error.details ? { details: error.details } : {}),
    }
    const message = error.message ?? `${method} /_app${path} answered ${status}`
    if (status === 401) {
      const hint = 'FORMWIRE_ADMIN_TOKEN must be the admin_token that this server printed at its start'
      return new Failure(message, { ...facts, exitCode: EXIT.notAllowed, hint })
    }
    if (status === 404) {
      return new Failure(message, {
        ...facts,
        exitCode: EXIT.notFound,
        hint: 'ids are shown by formwire deliveries list FORM WEBHOOK',
      })
    }
    return new Failure(message, { ...facts, exitCode: status === 429 ? EXIT.rateLimited : EXIT.failed })
  }
}

const NO_SERVER = {
  exitCode: EXIT.failed,
  code: 'no_delivery_log',
  hint: 'the delivery log is read from a reference server; elsewhere it is viewed in the app',
} as const

function parse(text: string): { data?: unknown; error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
