import { type Answered, ApiPromise } from './api-promise.ts'
import type { Clock } from './clock.ts'
import type { ApiError } from './errors/api-error.ts'
import { DecodeError } from './errors/decode-error.ts'
import type { FormwireError, RequestFacts } from './errors/formwire-error.ts'
import { type SchemaDrift, SchemaDriftError } from './errors/schema-drift-error.ts'
import { UsageError } from './errors/usage-error.ts'
import { decode, type Envelope, type Shape } from './http/decode.ts'
import { type Hooks, Observer } from './http/observer.ts'
import { type Query, queryString } from './http/path.ts'
import { budgetId, type Priority, type RateBudget, sharedBudget } from './http/rate-budget.ts'
import { keyRedactor } from './http/redact.ts'
import type { Method } from './http/retry-policy.ts'
import { type Sender, send } from './http/send.ts'
import { checkedHeaders, type RequestOptions, readLimits, type Settings } from './options.ts'
import { type FetchPage, Page, PagePromise } from './pagination.ts'
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
  done?: Data
  /** The error to throw when a POST may have been carried out although its answer was lost. */
  unknown?: (cause: FormwireError) => FormwireError
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

  get clock(): Clock {
    return this.settings.clock
  }

  /** The budget of the client's key. */
  budget(): RateBudget {
    return sharedBudget(this.#budgetId, this.settings.clock, this.settings.realm)
  }

  /** One object. */
  item<Data>(
    operation: Operation,
    options?: RequestOptions,
    settling: Settling<Data> = {},
  ): ApiPromise<Data> {
    const shape: Shape = settling.done === undefined ? 'item' : 'item-or-empty'
    const finish = ({ data = settling.done }: Envelope): Data => data as Data
    return new ApiPromise(this.#send(operation, options, shape, settling, finish))
  }

  /** A list, by pages. */
  list<Item extends { id: unknown }>(operation: Operation, options?: RequestOptions): PagePromise<Item> {
    const fetch: FetchPage<Item> = (page) =>
      this.page<Item>({ ...operation, query: { ...operation.query, page } }, options, fetch)
    return new PagePromise<Item>(this.page<Item>(operation, options, fetch), fetch)
  }

  /** One page of a list. */
  page<Item>(
    operation: Operation,
    options: RequestOptions | undefined,
    fetch: FetchPage<Item>,
  ): Promise<Answered<Page<Item>>> {
    return this.#send(operation, options, operation.shape ?? 'list', {}, (envelope) => {
      const data = envelope.data as Item[]
      const { meta = { page: 1, per_page: Math.max(data.length, 1), total: data.length } } = envelope
      return new Page(data, meta, fetch)
    })
  }

  async #send<Data>(
    operation: Operation,
    options: RequestOptions | undefined,
    shape: Shape,
    { done, unknown }: Settling<Data>,
    finish: (envelope: Envelope) => Data,
  ): Promise<Answered<Data>> {
    const { settings } = this
    const { method } = operation
    const path = operation.path + queryString(operation.query)
    const headers = {
      ...settings.headers,
      ...checkedHeaders(options?.headers),
      ...(operation.body && JSON_TYPE),
    }
    // Before anything is sent: what a missing zod would hide may be the only answer that shows a secret.
    const findDrift = settings.validate === 'off' ? undefined : await loadValidation()
    const sent = await send(this.#sender, {
      method,
      path,
      root: this.#root,
      headers,
      body: operation.body && JSON.stringify(operation.body),
      priority: operation.priority ?? (method === 'GET' ? 1 : 0),
      limits: readLimits(options ?? {}, settings),
      signal: options?.signal,
    })
    if (!sent.ok) {
      const { error, maybeDone } = sent
      const status = 'status' in error ? error.status : undefined
      // The lost answer said it was deleted; that it is gone now is what was asked for.
      if (method === 'DELETE' && done !== undefined && maybeDone && status === 404 && isEnvelope(error)) {
        const { headers, attempts } = error as ApiError
        return { data: done, status, headers, attempts }
      }
      if (unknown && maybeDone && error.name !== 'AbortError') throw unknown(error)
      throw error
    }
    const { response, attempts } = sent
    const facts = { method, path, attempts }
    try {
      const envelope = decode(response, shape, facts, this.#sender.redact)
      if (findDrift && envelope.data !== undefined)
        this.#report(findDrift(operation.schema, shape, envelope), facts)
      return { data: finish(envelope), status: response.status, headers: response.headers, attempts }
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

function isEnvelope(error: FormwireError): boolean {
  return 'envelope' in error && error.envelope === true
}
