import { API_ROOT, REQUESTS_PER_MINUTE } from '@formwire/contract'
import { type Clock, systemClock } from './clock.ts'
import { UsageError } from './errors/usage-error.ts'
import { checkedHeaders } from './http/checked-headers.ts'
import { type Hooks, LOG_LEVELS, type Logger, type LogLevel } from './http/observer.ts'
import { type FetchLike, fetchTransport, globalFetchTransport, type Transport } from './http/transport.ts'
import { VERSION } from './version.ts'

const VALIDATE_MODES = ['off', 'warn', 'throw'] as const

/** What to do with an answer that differs from the documented shape. */
export type ValidateMode = (typeof VALIDATE_MODES)[number]

/** Options of a client. */
export interface FormwireOptions extends Hooks {
  /** API key, sent in the `Authorization` header and nowhere else (AUTH-02). @default process.env.FORMWIRE_API_KEY */
  apiKey?: string | undefined
  /**
   * Root of the service; the client adds `/api/v1`. https, unless the host is loopback or `formwire.test`, or `allowInsecure` is
   * set. @default process.env.FORMWIRE_BASE_URL; with `fetch` or `transport` given `http://formwire.test`
   */
  baseUrl?: string | undefined
  /** Deadline of one attempt in milliseconds: DNS, connect, headers and body. @default 30_000 */
  timeoutMs?: number | undefined
  /** Deadline of a whole call in milliseconds, retries and waits included; `Infinity` for none. @default 300_000 */
  totalTimeoutMs?: number | undefined
  /** Retries after the first attempt. @default 3 */
  maxRetries?: number | undefined
  /** A `fetch` to use instead of the global one, such as a reference server's `server.fetch`. */
  fetch?: FetchLike | undefined
  /** A transport to use instead of `fetch`: `undiciTransport()`, `nodeTransport()` or your own. */
  transport?: Transport | undefined
  /** Rate budget, shared by all clients of the key in the process; `false` for none. @default { perMinute: 120 } (RATE-01) */
  rateLimit?: { perMinute: number } | false | undefined
  /** Compares every answer with the documented shape; needs zod. `warn` logs, `throw` throws SchemaDriftError. @default 'off' */
  validate?: ValidateMode | undefined
  /** Where log lines go. @default none; with `validate: 'warn'` the console */
  logger?: Logger | undefined
  /** Least serious level that is logged. @default 'warn' */
  logLevel?: LogLevel | undefined
  /** Put before the SDK's own user agent, such as `my-app/1.2`. */
  userAgent?: string | undefined
  /** Headers of every request. `authorization` cannot be set here. */
  headers?: Record<string, string> | undefined
  /** Allows plain http to any host: the key then travels unprotected. @default false */
  allowInsecure?: boolean | undefined
  /** Time; for tests. @default the machine's clock */
  clock?: Clock | undefined
  /** Source of jitter: a number in [0, 1); for tests. @default Math.random */
  random?: (() => number) | undefined
}

/** What a call may take; see the options of the same names. */
export interface CallLimits {
  timeoutMs: number
  totalTimeoutMs: number
  maxRetries: number
}

/** Options of one call. */
export interface RequestOptions {
  /** Aborts the call at any moment, waits included. */
  signal?: AbortSignal | undefined
  /** Deadline of one attempt in milliseconds. @default the client's */
  timeoutMs?: number | undefined
  /** Deadline of the whole call in milliseconds. @default the client's */
  totalTimeoutMs?: number | undefined
  /** Retries after the first attempt. @default the client's */
  maxRetries?: number | undefined
  /** More headers. `authorization` cannot be set here. */
  headers?: Record<string, string> | undefined
}

/** Options with their defaults, checked. */
export interface Settings extends CallLimits {
  apiKey: string
  baseUrl: string
  transport: Transport
  /** What a `.test` host is reached through: two servers in one process are two services, though their URLs are the same. */
  realm: object | undefined
  perMinute: number
  validate: ValidateMode
  logger: Logger | undefined
  logLevel: LogLevel
  headers: Record<string, string>
  clock: Clock
  random: () => number
}

/** Stands for a service in the same process; the name resolves nowhere (RFC 6761). */
const IN_PROCESS_URL = 'http://formwire.test'

/** Fills in the defaults. @throws UsageError that names the option and never shows the key. */
export function readOptions(options: FormwireOptions): Settings {
  const { fetch, transport } = options
  if (fetch && transport) throw new UsageError('Give "fetch" or "transport", not both.')
  const custom = fetch ?? transport
  if (custom && typeof custom !== 'function') throw new UsageError('"fetch" and "transport" are functions.')
  const validate = oneOf('validate', options.validate ?? 'off', VALIDATE_MODES)
  const baseUrl = readBaseUrl(
    options.baseUrl ?? environment('FORMWIRE_BASE_URL') ?? (custom ? IN_PROCESS_URL : undefined),
    options.allowInsecure ?? false,
  )
  return {
    apiKey: readKey(options.apiKey ?? environment('FORMWIRE_API_KEY')),
    baseUrl,
    realm: new URL(baseUrl).hostname.endsWith('.test') ? custom : undefined,
    ...readLimits(options, { timeoutMs: 30_000, totalTimeoutMs: 300_000, maxRetries: 3 }),
    transport: transport ?? (fetch ? fetchTransport(fetch) : globalFetchTransport),
    perMinute:
      options.rateLimit === false
        ? Number.POSITIVE_INFINITY
        : positive('rateLimit.perMinute', options.rateLimit?.perMinute ?? REQUESTS_PER_MINUTE),
    validate,
    logger: options.logger ?? (validate === 'warn' ? console : undefined),
    logLevel: oneOf('logLevel', options.logLevel ?? 'warn', LOG_LEVELS),
    headers: checkedHeaders({
      accept: 'application/json',
      'user-agent': userAgent(options.userAgent),
      ...options.headers,
    }),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  }
}

/** The limits of a call, checked. @throws UsageError */
export function readLimits(options: RequestOptions, defaults: CallLimits): CallLimits {
  return {
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? defaults.timeoutMs),
    totalTimeoutMs: positive('totalTimeoutMs', options.totalTimeoutMs ?? defaults.totalTimeoutMs),
    maxRetries: notNegative('maxRetries', options.maxRetries ?? defaults.maxRetries),
  }
}

/** A number above 0. @throws UsageError */
export function positive(name: string, value: number): number {
  return number(name, value, value > 0, 'above 0')
}

/** A number that may be 0. @throws UsageError */
export function notNegative(name: string, value: number): number {
  return number(name, value, value >= 0, 'of 0 or more')
}

function number(name: string, value: number, fits: boolean, range: string): number {
  if (typeof value !== 'number' || !fits) {
    throw new UsageError(`"${name}" has to be a number ${range}, got ${value}.`)
  }
  return value
}

function oneOf<Word extends string>(name: string, value: Word, words: readonly Word[]): Word {
  if (!words.includes(value)) {
    throw new UsageError(`"${name}" has to be one of ${words.join(', ')}, got ${value}.`)
  }
  return value
}

function readKey(key: string | undefined): string {
  if (typeof key !== 'string' || key === '') {
    throw new UsageError('No API key: pass "apiKey" or set FORMWIRE_API_KEY.')
  }
  // Anything else cannot be a header value, and the runtime's own error would quote it.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('The API key holds characters that HTTP cannot carry.')
  }
  return key
}

function readBaseUrl(text: string | undefined, allowInsecure: boolean): string {
  if (!text) throw new UsageError('No base URL: pass "baseUrl" or set FORMWIRE_BASE_URL.')
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new UsageError('The base URL is not a whole URL.')
  }
  const root = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  if (url.username || url.password || url.search || url.hash || root.endsWith(API_ROOT)) {
    throw new UsageError(
      `The base URL of ${url.host} must not carry credentials, query, fragment or ${API_ROOT}.`,
    )
  }
  const insecure = url.protocol === 'http:' && (allowInsecure || isLocal(url.hostname))
  if (url.protocol !== 'https:' && !insecure) {
    throw new UsageError(
      `The base URL has to be https, got ${url.protocol}//${url.host}: only allowInsecure sends the key over http.`,
    )
  }
  return root
}

function isLocal(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|\[::1\]|127(?:\.\d+){3}|formwire\.test)$/.test(hostname)
}

function userAgent(own: string | undefined): string {
  const runtime = globalThis.process?.versions?.node
  return [own, `formwire-sdk/${VERSION}`, runtime && `node/${runtime}`].filter(Boolean).join(' ')
}

function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined
}
