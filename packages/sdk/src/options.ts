import { API_ROOT, REQUESTS_PER_MINUTE } from '@formwire/contract'
import { readBaseUrl } from '@formwire/internal/base-url'
import type { Clock } from '@formwire/internal/clock'
import { isPlainHttpHost } from '@formwire/internal/loopback'
import type { AnswerSchemas } from './answers.ts'
import { checkMethods, checkNames } from './check-arguments.ts'
import { systemClock } from './clock.ts'
import { UsageError } from './errors/client-errors.ts'
import { checkedHeaders } from './http/headers.ts'
import { type Hooks, LOG_LEVELS, type Logger, type LogLevel } from './http/observer.ts'
import type { BudgetStore } from './http/rate-budget.ts'
import type { CallLimits } from './http/send.ts'
import { type FetchLike, fetchTransport, globalFetchTransport, type Transport } from './http/transport.ts'
import { VERSION } from './version.ts'

const VALIDATE_MODES = ['off', 'warn', 'throw'] as const

/** What to do if a response differs from its documented schema. */
export type ValidateMode = (typeof VALIDATE_MODES)[number]

/** Options of a client. */
export interface FormwireOptions extends Hooks {
  /** API key. Sent in the `Authorization` header only (AUTH-02). @default process.env.FORMWIRE_API_KEY */
  apiKey?: string | undefined
  /**
   * Root URL of the service, without `/api/v1`, which the client adds. Must be https unless the host is loopback or
   * `formwire.test`, or `allowInsecure` is set.
   *
   * @default process.env.FORMWIRE_BASE_URL, or `http://formwire.test` with `fetch` or `transport`
   * @example 'https://forms.example.com'
   */
  baseUrl?: string | undefined
  /** Milliseconds before one attempt times out: DNS, connect, headers and body. `Infinity` for no limit. @default 30_000 */
  timeoutMs?: number | undefined
  /** Milliseconds before a call times out, including retries and waits. `Infinity` for no limit. @default 300_000 */
  totalTimeoutMs?: number | undefined
  /** Maximum number of retries after the first attempt; 0 turns retries off. @default 3 */
  maxRetries?: number | undefined
  /**
   * Largest response body in bytes, after decompression. A larger one closes the connection and throws ResponseTooLargeError; the
   * body of an error response is left out beyond 1 MiB. `Infinity` for the longest possible string. @default 33_554_432 (32 MiB)
   */
  maxResponseBytes?: number | undefined
  /** Replaces the global `fetch`, for example with the `server.fetch` of a reference server. @default globalThis.fetch, at call time */
  fetch?: FetchLike | undefined
  /** Replaces `fetch`: `undiciTransport()`, `nodeTransport()` or a custom transport. Not together with `fetch`. */
  transport?: Transport | undefined
  /**
   * Rate budget, shared by all clients of the key in the process, or in all processes with the same `store`. Requests beyond it are
   * queued. `false` for no budget.
   *
   * @default { perMinute: 120 } (RATE-01)
   * @example { perMinute: 120, store: redisBudget({ client }) }
   */
  rateLimit?: { perMinute: number; store?: BudgetStore | undefined } | false | undefined
  /** Compares each response with its documented schema; requires zod. `warn` logs, `throw` throws SchemaDriftError. @default 'off' */
  validate?: ValidateMode | undefined
  /**
   * Schemas of the answers by form id, with `validate`: an answer that does not fit the schema of its form is reported as well.
   * `formwire types --format zod` writes them; any Standard Schema of answers by question id that validates synchronously works.
   *
   * @example import { answerSchemas } from './forms.zod.ts'
   */
  answerSchemas?: AnswerSchemas | undefined
  /** Log destination. @default none, or `console` with `validate: 'warn'` */
  logger?: Logger | undefined
  /** Most verbose level to log. @default 'warn' */
  logLevel?: LogLevel | undefined
  /** Prefix of the `User-Agent` header. @example 'my-app/1.2' */
  userAgent?: string | undefined
  /** Headers of every request. `authorization` is ignored. */
  headers?: Record<string, string> | undefined
  /** Allows plain http to any host. The key is then sent unencrypted. @default false */
  allowInsecure?: boolean | undefined
  /** Source of time, for tests. @default the system clock */
  clock?: Clock | undefined
  /** Source of jitter, for tests. Returns a number in [0, 1). @default Math.random */
  random?: (() => number) | undefined
}

/** Names of {@link FormwireOptions}. */
export const CLIENT_OPTIONS = [
  'apiKey',
  'baseUrl',
  'timeoutMs',
  'totalTimeoutMs',
  'maxRetries',
  'maxResponseBytes',
  'fetch',
  'transport',
  'rateLimit',
  'validate',
  'answerSchemas',
  'logger',
  'logLevel',
  'userAgent',
  'headers',
  'allowInsecure',
  'clock',
  'random',
  'onRequest',
  'onResponse',
  'onRetry',
] as const satisfies (keyof FormwireOptions)[]

/** Names of {@link RequestOptions}. */
export const CALL_OPTIONS = [
  'signal',
  'timeoutMs',
  'totalTimeoutMs',
  'maxRetries',
  'headers',
] as const satisfies (keyof RequestOptions)[]

/** Options of one call. */
export interface RequestOptions {
  /**
   * Aborts the call at any time, including during waits. The call rejects with AbortError.
   *
   * @example await formwire.forms.get(id, { signal: AbortSignal.timeout(2000) })
   */
  signal?: AbortSignal | undefined
  /** Milliseconds before one attempt times out. @default the option of the client */
  timeoutMs?: number | undefined
  /** Milliseconds before the call times out. @default the option of the client */
  totalTimeoutMs?: number | undefined
  /** Maximum number of retries after the first attempt. @default the option of the client */
  maxRetries?: number | undefined
  /** Additional headers. They override those of the client. `authorization` is ignored. */
  headers?: Record<string, string> | undefined
}

/** Validated options with their defaults. */
export interface Settings extends CallLimits {
  apiKey: string
  baseUrl: string
  transport: Transport
  maxResponseBytes: number
  /** Custom `fetch` or transport of a `.test` host: two in-process servers are two services with the same URL. */
  realm: object | undefined
  perMinute: number
  budgetStore: BudgetStore | undefined
  validate: ValidateMode
  answerSchemas: AnswerSchemas | undefined
  logger: Logger | undefined
  logLevel: LogLevel
  headers: Record<string, string>
  clock: Clock
  random: () => number
}

/** A page of 100 responses of 320 kB each. Usual ones have a hundredth of that. */
const DEFAULT_MAX_RESPONSE_BYTES = 32 * 1024 * 1024

/** Longest string in V8. */
const MAX_STRING_LENGTH = 0x1fff_ffe8

/** Placeholder for an in-process service. The name never resolves (RFC 6761). */
const IN_PROCESS_URL = 'http://formwire.test'

/** Validates the options and applies the defaults. @throws UsageError that names the option and never contains the key. */
export function readOptions(options: FormwireOptions): Settings {
  checkNames('new Formwire()', options, CLIENT_OPTIONS)
  const { fetch, transport, clock = systemClock, random = Math.random } = options
  const rateLimit: Partial<Exclude<typeof options.rateLimit, false>> | false = options.rateLimit ?? {}
  const budgetStore = rateLimit ? rateLimit.store : undefined
  if (rateLimit !== false) checkNames('rateLimit', rateLimit, ['perMinute', 'store'])
  if (budgetStore)
    checkMethods('rateLimit.store', budgetStore, ['budget'], 'a store, such as redisBudget({ client })')
  checkMethods('clock', clock, ['now', 'setTimer'], 'an object with now() and setTimer()')
  checkMethods('random', random, ['call'], 'a function')
  if (fetch && transport) throw new UsageError('Set either "fetch" or "transport", not both.')
  const custom = fetch ?? transport
  if (custom && typeof custom !== 'function')
    throw new UsageError('"fetch" and "transport" must be functions.')
  const validate = oneOf('validate', options.validate ?? 'off', VALIDATE_MODES)
  const { answerSchemas } = options
  if (answerSchemas && validate === 'off') throw new UsageError('"answerSchemas" requires "validate".')
  const logger = options.logger ?? (validate === 'warn' ? console : undefined)
  const logs = 'an object with error(), warn(), info() and debug(), such as console'
  if (logger) checkMethods('logger', logger, LOG_LEVELS.slice(1), logs)
  const text = options.baseUrl ?? environment('FORMWIRE_BASE_URL') ?? (custom ? IN_PROCESS_URL : undefined)
  if (!text) throw new UsageError('Missing base URL: pass "baseUrl" or set FORMWIRE_BASE_URL.')
  const baseUrl = readBaseUrl(text, API_ROOT, UsageError)
  const { protocol, host, hostname } = new URL(baseUrl)
  if (protocol === 'http:' && !options.allowInsecure && !isPlainHttpHost(hostname))
    throw new UsageError(`"baseUrl" must be https, got http://${host}; or set allowInsecure.`)
  return {
    apiKey: readKey(options.apiKey ?? environment('FORMWIRE_API_KEY')),
    baseUrl,
    realm: hostname.endsWith('.test') ? custom : undefined,
    ...readLimits(options, { timeoutMs: 30_000, totalTimeoutMs: 300_000, maxRetries: 3 }),
    maxResponseBytes: Math.min(
      positive('maxResponseBytes', options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES),
      MAX_STRING_LENGTH,
    ),
    transport: transport ?? (fetch ? fetchTransport(fetch) : globalFetchTransport),
    perMinute:
      rateLimit === false
        ? Number.POSITIVE_INFINITY
        : positive('rateLimit.perMinute', rateLimit.perMinute ?? REQUESTS_PER_MINUTE),
    budgetStore,
    validate,
    answerSchemas,
    logger,
    logLevel: oneOf('logLevel', options.logLevel ?? 'warn', LOG_LEVELS),
    headers: {
      ...checkedHeaders({ accept: 'application/json', 'user-agent': userAgent(options.userAgent) }),
      ...checkedHeaders(options.headers),
    },
    clock,
    random,
  }
}

/** Validates the limits of a call. @throws UsageError */
export function readLimits(options: RequestOptions, defaults: CallLimits): CallLimits {
  return {
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? defaults.timeoutMs),
    totalTimeoutMs: positive('totalTimeoutMs', options.totalTimeoutMs ?? defaults.totalTimeoutMs),
    maxRetries: notNegative('maxRetries', options.maxRetries ?? defaults.maxRetries),
  }
}

/** Checks that a number is above 0. @throws UsageError */
export function positive(name: string, value: number): number {
  return number(name, value, value > 0, 'above 0')
}

/** Checks that a number is 0 or above. @throws UsageError */
export function notNegative(name: string, value: number): number {
  return number(name, value, value >= 0, 'from 0')
}

function number(name: string, value: number, fits: boolean, range: string): number {
  if (typeof value !== 'number' || !fits) {
    throw new UsageError(`"${name}" must be a number ${range}, got ${value}.`)
  }
  return value
}

/** Checks that a value is one of the words. @throws UsageError */
export function oneOf<Word extends string>(name: string, value: Word, words: readonly Word[]): Word {
  if (!words.includes(value)) {
    throw new UsageError(`"${name}" must be one of ${words.join(', ')}, got ${value}.`)
  }
  return value
}

function readKey(key: string | undefined): string {
  if (typeof key !== 'string' || key === '') {
    throw new UsageError('Missing API key: pass "apiKey" or set FORMWIRE_API_KEY.')
  }
  if (/^bearer\s/i.test(key)) throw new UsageError('"apiKey" must not begin with "Bearer".')
  if (key !== key.trim()) throw new UsageError('"apiKey" must not begin or end with white space.')
  // Not left to the runtime, whose error would quote the key.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('"apiKey" contains characters that are not allowed in HTTP.')
  }
  return key
}

function userAgent(prefix: string | undefined): string {
  const runtime = globalThis.process?.versions?.node
  return [prefix, `formwire-sdk/${VERSION}`, runtime && `node/${runtime}`].filter(Boolean).join(' ')
}

function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined
}
