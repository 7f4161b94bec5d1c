import type { WebhookEndpoint } from '@formwire/contract'
import type {
  BuilderForm,
  ClockState,
  Delivery,
  DeliveryDetail,
  FormEndpoint,
} from '@formwire/contract/control'
import { EventStreamParser, type StreamEvent } from '@formwire/internal/server-sent-events'
import { EXIT } from '../exit.ts'
import { Failure, failed, notFound } from '../failure.ts'
import { type Envelope, envelopeOf, errorFacts, requestEnvelope } from '../http/service.ts'
import type { Runtime } from '../runtime.ts'
import { withoutPeriod } from '../service-message.ts'

export interface ControlClientOptions {
  baseUrl: string
  token: string
  /** Where the token came from, such as `--admin-token`. */
  tokenSource: string
  stop: AbortSignal
  /** Names the proxy, if one is used. */
  env: Runtime['env']
  /** Receives the `Date` header of every response. */
  noteDate?: (date: string | null) => void
}

export type { Delivery }

/** One delivery with its raw body and all its attempts. Unknown members pass through (ENV-04). */
export type DeliveryDetails = DeliveryDetail & { [member: string]: unknown }

/** The members of a form that commands use. */
export type ControlForm = Pick<BuilderForm, 'id' | 'title' | 'questions'>

/** Client of a reference server's control API (`/_app`): the delivery log and the clock. */
export class ControlClient {
  readonly #options: ControlClientOptions

  constructor(options: ControlClientOptions) {
    this.#options = options
  }

  /** Returns the delivery log of one endpoint, newest first, at most 50 deliveries (DLV-07). */
  readonly deliveries = (formId: string, webhookId: number) =>
    this.#get<Delivery[]>(`${endpointPath(formId, webhookId)}/deliveries`)

  /** Returns one delivery with its raw body and attempts. */
  readonly delivery = (id: string) => this.#get<DeliveryDetails>(`/deliveries/${encodeURIComponent(id)}`)

  /** Queues a copy of a delivery and returns the new delivery (DLV-08). */
  readonly replay = (id: string) => this.#post<Delivery>(`/deliveries/${encodeURIComponent(id)}/replay`)

  /** Queues a test event for an endpoint and returns its delivery (DLV-02). */
  readonly test = (formId: string, webhookId: number) =>
    this.#post<Delivery>(`${endpointPath(formId, webhookId)}/test`)

  /** Pauses or resumes an endpoint and returns it (HOOK-07). */
  readonly setActive = (formId: string, webhookId: number, change: 'pause' | 'resume') =>
    this.#post<WebhookEndpoint>(`${endpointPath(formId, webhookId)}/${change}`)

  readonly forms = () => this.#get<ControlForm[]>('/forms')

  /** Returns a form with the questions of the builder. @throws Failure exit 3 for an unknown form */
  readonly form = (id: string) => this.#get<ControlForm>(`/forms/${encodeURIComponent(id)}`)

  readonly endpoints = async () =>
    (await this.#get<{ endpoints: FormEndpoint[] }>('/catalog?include=endpoints')).endpoints

  readonly allDeliveries = async () =>
    (await this.#get<{ deliveries: Delivery[] }>('/catalog?include=deliveries')).deliveries

  readonly clock = () => this.#get<ClockState>('/clock')

  /** Opens the stream of changes, from now or after `lastEventId`. It ends when the connection closes. */
  async openStream(
    query: { form_id?: string; webhook_id?: string },
    lastEventId: string | undefined,
  ): Promise<AsyncGenerator<StreamEvent>> {
    const { token } = this.#options
    const search = new URLSearchParams(query).toString()
    const url = this.#url(`/deliveries/stream${search === '' ? '' : `?${search}`}`)
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    }
    const { openStream } = await import('../http/request.ts')
    const { status, body } = await openStream(url, headers, this.#options)
    if (status === 200) return eventsOf(body)
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    throw await this.#failure(status, envelopeOf(Buffer.concat(chunks).toString()), '/deliveries/stream')
  }

  readonly #get = <Data>(path: string) => this.#data<Data>('GET', path)
  readonly #post = <Data>(path: string) => this.#data<Data>('POST', path)

  async #data<Data>(method: string, path: string): Promise<Data> {
    const { token, noteDate } = this.#options
    const { status, headers, envelope } = await requestEnvelope(this.#url(path), this.#options, {
      method,
      token,
    })
    noteDate?.(headers.get('date'))
    if (status < 200 || status > 299) throw await this.#failure(status, envelope, path)
    const { data } = envelope
    if (data === undefined) throw this.#noServer()
    return data as Data
  }

  #url(path: string): string {
    return `${this.#options.baseUrl}/_app${path}`
  }

  async #failure(status: number, envelope: Envelope, path: string): Promise<Failure> {
    const { error } = envelope
    if (!error) return this.#noServer(status)
    const facts = errorFacts(envelope, status)
    if (status === 404) {
      const { name, list } = await this.#missing(path)
      return notFound(`${name} not found`, `see formwire ${list}`, facts)
    }
    if (status === 401) {
      const hint = `${this.#options.tokenSource} must be the admin token that this server printed at startup`
      return new Failure('the admin token is missing or wrong', { ...facts, exitCode: EXIT.notAllowed, hint })
    }
    const [, form, webhook] = PAUSED_TEST.exec(status === 422 ? path : '') ?? []
    const hint = form && `resume it: formwire deliveries resume ${decodeURIComponent(form)} ${webhook}`
    const message = withoutPeriod(error.message ?? `the server responded with ${status}`)
    const exitCode = status === 429 ? EXIT.rateLimited : EXIT.failed
    return new Failure(message, { ...facts, exitCode, hint, isReason: true })
  }

  /** Returns what a path names that was not found, and the command that lists its kind. */
  async #missing(path: string): Promise<{ name: string; list: string }> {
    const [, noun, id = '', , webhook] = path.split('/').map(decodeURIComponent)
    const named = id === '' ? '""' : id
    if (noun === 'deliveries') return { name: `delivery ${named}`, list: 'deliveries list FORM WEBHOOK' }
    const form = { name: `form ${named}`, list: 'forms list' }
    if (webhook === undefined) return form
    // The server responds in the same way when the form does not exist.
    const hasForm = await this.forms().then(
      (forms) => forms.some((one) => one.id === id),
      () => true,
    )
    return hasForm ? { name: `webhook endpoint ${webhook} of form ${id}`, list: `webhooks list ${id}` } : form
  }

  #noServer(status?: number): Failure {
    const responded = status === undefined ? 'did not respond' : `responded with ${status}, not`
    return failed(
      'no_delivery_log',
      `${this.#options.baseUrl} ${responded} like a reference server`,
      'only a reference server has a delivery log API; for other servers, see the log in the app',
    )
  }
}

const endpointPath = (formId: string, webhookId: number): string =>
  `/forms/${encodeURIComponent(formId)}/webhooks/${webhookId}`

/** A test event is refused with a 422 only while the endpoint is paused (HOOK-07). */
const PAUSED_TEST = /^\/forms\/([^/]+)\/webhooks\/(\d+)\/test$/

async function* eventsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const parser = new EventStreamParser()
  for await (const chunk of stream) yield* parser.push(chunk)
}
