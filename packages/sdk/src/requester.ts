import { DEFAULT_PER_PAGE } from '@formwire/contract'
import { checkNames, checkSignal } from './check-arguments.ts'
import type { ApiError } from './errors/api-errors.ts'
import { DecodeError, type SchemaDriftError } from './errors/client-errors.ts'
import type { FormwireError } from './errors/formwire-error.ts'
import { type ApiPromise, apiPromise, type ResponseSlot } from './http/api-promise.ts'
import { decode, type Envelope, type Shape } from './http/decode.ts'
import { checkedHeaders } from './http/headers.ts'
import { type Hooks, Observer } from './http/observer.ts'
import { queryString } from './http/path.ts'
import { type Budget, budgetId, type Priority, sharedBudget } from './http/rate-budget.ts'
import type { Method } from './http/retry-policy.ts'
import { type Call, type ClientContext, send } from './http/send.ts'
import { CALL_OPTIONS, type RequestOptions, readLimits, type Settings } from './options.ts'
import { type FetchPage, Page, type PagePromise, pagePromise } from './pagination/pages.ts'
import { loadValidation, type SchemaName } from './validation-registry.ts'

/** A call of a resource method. */
export interface Operation {
  method: Method
  path: string
  query?: object | undefined
  body?: object | undefined
  /** Allowed names in the query or the body. @default no check, for queries that the SDK builds */
  parameters?: readonly string[]
  /** Name of the documented schema of the data, for `validate`. @default none, for endpoints without one */
  schema?: SchemaName
  /** Order in the rate budget. @default 0 for writes, 1 for reads */
  priority?: Priority
  /** List without pages, whose `meta` is optional, such as the endpoints of a form. @default 'list' */
  shape?: 'short-list'
  /** Whether a row of the list that changes moves to the front. @default false */
  isMoving?: boolean
}

interface PageQuery {
  page?: number
  per_page?: number
}

/** Results in special cases; see {@link Requester.item}. */
export interface Fallbacks<Data> {
  /** Data for an empty body, or for a retried DELETE whose target no longer exists. */
  done?: Data | undefined
  /** Returns the error of a POST that the service may have processed although the response was lost. */
  unknown?: ((cause: FormwireError) => FormwireError) | undefined
}

/** Expected response of an operation. */
interface Expected<Data> extends Fallbacks<Data> {
  shape: Shape
  /** Converts the envelope to the result of the call. */
  finish: (envelope: Envelope) => Data
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Sends operations, and decodes and validates their responses. */
export class Requester {
  readonly settings: Settings
  readonly observer: Observer
  readonly #context: ClientContext
  readonly #root: string
  readonly #budgetId: number

  constructor(settings: Settings, hooks: Hooks, root: string) {
    this.settings = settings
    this.observer = new Observer(hooks, settings)
    this.#root = root
    this.#budgetId = budgetId(`${root} ${settings.apiKey}`)
    this.#context = {
      ...settings,
      budget: () => this.budget(),
      observer: this.observer,
      redact: this.observer.redact,
    }
  }

  /** Returns the rate budget of the client's key. */
  budget(): Budget {
    const { budgetStore, clock, realm } = this.settings
    return budgetStore?.budget(this.#budgetId, clock) ?? sharedBudget(this.#budgetId, clock, realm)
  }

  /** Requests one object. */
  item<Data>(
    operation: Operation,
    options?: RequestOptions,
    { done, unknown }: Fallbacks<Data> = {},
  ): ApiPromise<Data> {
    const shape: Shape = done === undefined ? 'item' : 'item-or-empty'
    const finish = ({ data = done }: Envelope): Data => data as Data
    return this.#send(operation, options, { shape, finish, done, unknown })
  }

  /** Requests anything: one object, a list with or without `meta`, or an empty body. */
  any<Data>(
    operation: Operation,
    options: RequestOptions | undefined,
    unknown: (cause: FormwireError) => FormwireError,
  ): ApiPromise<Data> {
    const fetch: FetchPage<{ id: unknown }> = (page) =>
      this.page({ ...operation, query: { ...operation.query, page } }, options, fetch)
    const finish = (envelope: Envelope): Data =>
      (Array.isArray(envelope.data) ? pageOf(envelope, fetch) : envelope.data) as Data
    const onlyPosts = operation.method === 'POST' ? { unknown } : {}
    return this.#send(operation, options, { shape: 'any', finish, ...onlyPosts })
  }

  /** Requests a list. */
  list<Item extends { id: unknown }>(operation: Operation, options?: RequestOptions): PagePromise<Item> {
    const { page: start = 1, per_page: perPage = DEFAULT_PER_PAGE } = (operation.query ?? {}) as PageQuery
    const fetch: FetchPage<Item> = (page, size = perPage) => {
      const query = { ...operation.query, page, ...(size !== perPage && { per_page: size }) }
      return this.page<Item>({ ...operation, query }, options, fetch)
    }
    const { isMoving = false } = operation
    return pagePromise(this.page<Item>(operation, options, fetch), fetch, { page: start, perPage, isMoving })
  }

  /** Requests one page of a list. */
  page<Item>(
    operation: Operation,
    options: RequestOptions | undefined,
    fetch: FetchPage<Item>,
  ): ApiPromise<Page<Item>> {
    const finish = (envelope: Envelope): Page<Item> => pageOf(envelope, fetch)
    return this.#send(operation, options, { shape: operation.shape ?? 'list', finish })
  }

  #send<Data>(
    operation: Operation,
    options: RequestOptions | undefined,
    expected: Expected<Data>,
  ): ApiPromise<Data> {
    const slot: ResponseSlot = {}
    return apiPromise(this.#dataOf(operation, options, expected, slot), slot)
  }

  async #dataOf<Data>(
    { method, path, query, body, parameters, priority, schema }: Operation,
    options: RequestOptions | undefined,
    { shape, finish, done, unknown }: Expected<Data>,
    slot: ResponseSlot,
  ): Promise<Data> {
    const { settings } = this
    if (parameters) checkNames('parameters', body ?? query, parameters)
    if (options) {
      checkNames('options', options, CALL_OPTIONS)
      checkSignal(options.signal)
    }
    const fullPath = path + queryString(query, parameters)
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
    // Loaded before the request is sent: if zod is missing, a created secret must not be lost with the response.
    const findDrift = settings.validate === 'off' || !schema ? undefined : await loadValidation()
    const result = await send(this.#context, call)
    if ('error' in result) {
      const { error, maybeSucceeded } = result
      // An earlier attempt deleted it, but its response was lost.
      const mayBeGone = done !== undefined || shape === 'any'
      if (method === 'DELETE' && mayBeGone && maybeSucceeded && isGone(error)) {
        slot.response = error
        return done as Data
      }
      if (unknown && maybeSucceeded && error.name !== 'AbortError') throw unknown(error)
      throw error
    }
    const { response, attempts } = result
    const facts = { method, path: fullPath, attempts }
    slot.response = { status: response.status, headers: response.headers, attempts }
    try {
      const envelope = decode(response, shape, facts, this.#context.redact)
      if (findDrift && schema && envelope.data !== undefined)
        this.#report(findDrift(schema, shape, envelope, facts, settings.answerSchemas))
      return finish(envelope)
    } catch (error) {
      if (unknown && error instanceof DecodeError) throw unknown(error)
      throw error
    }
  }

  #report(error: SchemaDriftError | undefined): void {
    if (error && this.settings.validate === 'throw') throw error
    if (error) this.observer.log('warn', error.message, { drift: error.drift })
  }
}

function pageOf<Item>(envelope: Envelope, fetch: FetchPage<Item>): Page<Item> {
  const data = envelope.data as Item[]
  const { meta = { page: 1, per_page: Math.max(data.length, 1), total: data.length } } = envelope
  return new Page(data, meta, fetch)
}

/** Whether the error is a 404 of the service. That of a proxy has no envelope. */
function isGone(error: FormwireError): error is ApiError {
  const { status, envelope } = error as Partial<ApiError>
  return status === 404 && !!envelope
}
