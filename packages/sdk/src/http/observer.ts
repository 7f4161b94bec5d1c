import type { FormwireError } from '../errors/formwire-error.ts'
import type { TransportResponse } from './transport.ts'

/** About to send one attempt. */
export interface RequestEvent {
  method: string
  /** Path below `/api/v1`, with its query. */
  path: string
  /** 1 for the first attempt. */
  attempt: number
  /** Headers of this attempt without `authorization`; what a hook adds is sent. Names in lower case. */
  headers: Record<string, string>
}

/** An answer came, whatever its status. */
export interface ResponseEvent {
  method: string
  path: string
  attempt: number
  status: number
  /** Milliseconds from sending to the end of the body. */
  durationMs: number
  requestId: string | undefined
}

/** An attempt failed and another one follows. */
export interface RetryEvent {
  method: string
  path: string
  /** The attempt that failed, from 1. */
  attempt: number
  /** Milliseconds until the next one. */
  waitMs: number
  /** What it failed of. */
  error: FormwireError
}

/** Called around attempts. A hook that throws is reported to the logger and changes nothing. */
export interface Hooks {
  onRequest?: ((event: RequestEvent) => void) | undefined
  onResponse?: ((event: ResponseEvent) => void) | undefined
  onRetry?: ((event: RetryEvent) => void) | undefined
}

/** Levels from the quietest to the most talkative. */
const LOG_LEVELS = ['off', 'error', 'warn', 'info', 'debug'] as const

/** How much is logged. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Where log lines go; `console`, pino and winston fit. Lines never carry the key, a secret or a body. */
export type Logger = Record<Exclude<LogLevel, 'off'>, (message: string, fields?: object) => void>

/** Tells hooks and logger what happens. */
export class Observer {
  readonly #hooks: Hooks
  readonly #logger: Logger | undefined
  readonly #level: number

  constructor(hooks: Hooks, logger: Logger | undefined, level: LogLevel) {
    this.#hooks = hooks
    this.#logger = logger
    this.#level = LOG_LEVELS.indexOf(level)
  }

  log(level: Exclude<LogLevel, 'off'>, message: string, fields?: object): void {
    if (this.#logger && this.#level >= LOG_LEVELS.indexOf(level)) this.#logger[level](message, fields)
  }

  request(method: string, path: string, attempt: number, headers: Record<string, string>): void {
    this.#call('onRequest', { method, path, attempt, headers })
    this.log('debug', 'formwire: request', { method, path, attempt })
  }

  response(
    method: string,
    path: string,
    attempt: number,
    response: TransportResponse,
    durationMs: number,
  ): void {
    if (!this.#hooks.onResponse && this.#level < 4) return
    const requestId = response.headers.get('x-request-id') ?? undefined
    const event = { method, path, attempt, status: response.status, durationMs, requestId }
    this.#call('onResponse', event)
    this.log('debug', 'formwire: response', event)
  }

  retry(method: string, path: string, attempt: number, waitMs: number, error: FormwireError): void {
    this.#call('onRetry', { method, path, attempt, waitMs, error })
    this.log('warn', 'formwire: retrying', { method, path, attempt, waitMs, error: error.toJSON() })
  }

  #call<Name extends keyof Hooks>(name: Name, event: Parameters<NonNullable<Hooks[Name]>>[0]): void {
    try {
      ;(this.#hooks[name] as ((event: unknown) => void) | undefined)?.(event)
    } catch (error) {
      this.log('error', `formwire: ${name} threw`, { error: String(error) })
    }
  }
}
