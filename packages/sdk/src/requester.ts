import { type AnswerSlot, type ApiPromise, apiPromise } from './api-promise.ts'
import type { ApiError } from './errors/api-error.ts'
import { DecodeError } from './errors/decode-error.ts'
import type { FormwireError, RequestFacts } from './errors/formwire-error.ts'
import { type SchemaDrift, SchemaDriftError } from './errors/schema-drift-error.ts'
import { UsageError } from './errors/usage-error.ts'
import { checkedHeaders } from './http/checked-headers.ts'
import { decode, type Envelope, type Shape } from './http/decode.ts'
import { type Hooks, Observer } from './http/observer.ts'
import { type Query, queryString } from './http/path.ts'
import { budgetId, type Priority, type RateBudget, sharedBudget } from './http/rate-budget.ts'
import { keyRedactor } from './http/redact.ts'
import type { Method } from './http/retry-policy.ts'
import { type Call, type Sender, send } from './http/send.ts'
import { type RequestOptions, readLimits, type Settings } from './options.ts'
import { type FetchPage, Page, type PagePromise, pagePromise } from './pagination.ts'
import type { SchemaName } from './validate.ts'

/** One call as a resource describes it. */
export interface Operation {
  method: Method
  path: string
  query?: Query | undefined
  body?: object
  /** Name of the documented shape of the data, for `validate`. */
  schema: SchemaName
  /** Polling gives way to everything else. @default 0 for writes, 1 for reads */
  priority?: Priority
  /** The endpoints of a form are one short list; whether it carries `meta` is not told. @default 'list' */
  shape?: 'short-list'
}

/** How a resource settles what `send` reports; see {@link Requester.item}. */
export interface Settling<Data> {
  /** The data of an empty answer, or of a retried DELETE that finds its target gone. */
  done?: Data | undefined
  /** The error to throw when a POST may have been carried out although its answer was lost. */
  unknown?: ((cause: FormwireError) => FormwireError) | undefined
}

/** What an operation expects of its answer. */
interface Expected<Data> extends Settling<Data> {
  shape: Shape
  /** What the caller gets of the envelope. */
  finish: (envelope: Envelope) => Data
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Turns operations into promises of data: sends, decodes, validates. */
export class Requester {
  readonly settings: Settings
  readonly observer: Observer
  readonly #sender: Sender
  readonly #root: string
  readonly #budgetId: number

  constructor(settings: Settings, hooks: Hooks, root: string) {
    this.settings = settings
    this.observer = new Observer(hooks, settings.logger, settings.logLevel)
    this.#root = root
    this.#budgetId = budgetId(`${root} ${settings.apiKey}`)
    this.#sender = {
      ...settings,
      budget: () => this.budget(),
      observer: this.observer,
      redact: keyRedactor(settings.apiKey),
    }
  }

  /** The budget of the client's key. */
  budget(): RateBudget {
    const { clock, realm } = this.settings
    return sharedBudget(this.#budgetId, clock, realm)
  }

  /** One object. */
  item<Data>(
    operation: Operation,
    options?: RequestOptions,
    { done, unknown }: Settling<Data> = {},
  ): ApiPromise<Data> {
    const shape: Shape = done === undefined ? 'item' : 'item-or-empty'
    const finish = ({ data = done }: Envelope): Data => data as Data
    return this.#send(operation, options, { shape, finish, done, unknown })
  }

  /** A list, by pages. */
  list<Item extends { id: unknown }>(operation: Operation, options?: RequestOptions): PagePromise<Item> {
    const fetch: FetchPage<Item> = (page) =>
      this.page<Item>({ ...operation, query: { ...operation.query, page } }, options, fetch)
    return pagePromise(this.page<Item>(operation, options, fetch), fetch)
  }

  /** One page of a list. */
  page<Item>(
    operation: Operation,
    options: RequestOptions | undefined,
    fetch: FetchPage<Item>,
  ): ApiPromise<Page<Item>> {
    const finish = (envelope: Envelope): Page<Item> => {
      const data = envelope.data as Item[]
      const { meta = { page: 1, per_page: Math.max(data.length, 1), total: data.length } } = envelope
      return new Page(data, meta, fetch)
    }
    return this.#send(operation, options, { shape: operation.shape ?? 'list', finish })
  }

  #send<Data>(
    operation: Operation,
    options: RequestOptions | undefined,
    expected: Expected<Data>,
  ): ApiPromise<Data> {
    const slot: AnswerSlot = {}
    return apiPromise(this.#dataOf(operation, options, expected, slot), slot)
  }

  async #dataOf<Data>(
    { method, path, query, body, priority, schema }: Operation,
    options: RequestOptions | undefined,
    { shape, finish, done, unknown }: Expected<Data>,
    slot: AnswerSlot,
  ): Promise<Data> {
    const { settings } = this
    const fullPath = path + queryString(query)
    const call: Call = {
      method,
      path: fullPath,
      root: this.#root,
      headers:
        options?.headers || body
          ? { ...settings.headers, ...checkedHeaders(options?.headers), ...(body && JSON_TYPE) }
          : settings.headers,
      body: body && JSON.stringify(body),
      priority: priority ?? (method === 'GET' ? 1 : 0),
      limits: options ? readLimits(options, settings) : settings,
      signal: options?.signal,
    }
    // Before anything is sent: what a missing zod would hide may be the only answer that shows a secret.
    const findDrift = settings.validate === 'off' ? undefined : await loadValidation()
    const sent = await send(this.#sender, call)
    if ('error' in sent) {
      const { error, maybeDone } = sent
      // The lost answer said it was deleted; that it is gone now is what was asked for.
      if (method === 'DELETE' && done !== undefined && maybeDone && isGone(error)) {
        slot.answer = error
        return done
      }
      if (unknown && maybeDone && error.name !== 'AbortError') throw unknown(error)
      throw error
    }
    const { response, attempts } = sent
    const facts = { method, path: fullPath, attempts }
    slot.answer = { status: response.status, headers: response.headers, attempts }
    try {
      const envelope = decode(response, shape, facts, this.#sender.redact)
      if (findDrift && envelope.data !== undefined) this.#report(findDrift(schema, shape, envelope), facts)
      return finish(envelope)
    } catch (error) {
      if (unknown && error instanceof DecodeError) throw unknown(error)
      throw error
    }
  }

  #report(drift: SchemaDrift[], facts: RequestFacts): void {
    if (drift.length === 0) return
    const places = drift.map((one) => `${one.path} (${one.expected})`).join(', ')
    const message = `${facts.method} ${facts.path} differs from the documented shape at ${places}.`
    if (this.settings.validate === 'throw') throw new SchemaDriftError(message, { ...facts, drift })
    this.observer.log('warn', `formwire: ${message}`, { drift })
  }
}

type FindDrift = typeof import('./validate.ts').findDrift

async function loadValidation(): Promise<FindDrift> {
  try {
    // biome-ignore lint/style/noRestrictedImports: this package's own door, by name so that bundles leave zod out.
    return (await import('@formwire/sdk/validate')).findDrift
  } catch (cause) {
    throw new UsageError('"validate" needs the package zod.', {}, { cause })
  }
}

/** Whether the service itself says that there is no such thing: a proxy's 404 has no envelope. */
function isGone(error: FormwireError): error is ApiError {
  const { status, envelope } = error as Partial<ApiError>
  return status === 404 && !!envelope
}
