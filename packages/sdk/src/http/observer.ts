import type { FormwireError } from '../errors/formwire-error.ts'
import { checkedHeaders } from './headers.ts'
import { keyRedactor } from './redact.ts'
import type { TransportResponse } from './transport.ts'

/** An attempt that is about to be sent. */
export interface RequestEvent {
  method: string
  /** Path below `/api/v1`, with its query. */
  path: string
  /** 1 for the first attempt. */
  attempt: number
  /**
   * Headers of this attempt without `authorization`, with lower-case names. The hook may change them. If the result is not valid
   * in HTTP, the original headers are sent and the error is logged.
   */
  headers: Record<string, string>
}

/** A received HTTP response of any status. */
export interface ResponseEvent {
  method: string
  path: string
  attempt: number
  status: number
  /** Milliseconds from sending to the end of the body. */
  durationMs: number
  requestId: string | undefined
}

/** A failed attempt that will be retried. */
export interface RetryEvent {
  method: string
  path: string
  /** The attempt that failed, from 1. */
  attempt: number
  /** Milliseconds until the next attempt. */
  waitMs: number
  /** Error of the failed attempt. */
  error: FormwireError
}

/** Hooks called around each attempt. If a hook throws or its promise rejects, the error is logged and the call continues. */
export interface Hooks {
  /** Called before each attempt. May change `event.headers`. */
  onRequest?: ((event: RequestEvent) => void) | undefined
  /** Called after each HTTP response, of any status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined
  /** Called before the wait for each retry. */
  onRetry?: ((event: RetryEvent) => void) | undefined
}

/** Log levels, from least to most verbose. */
export const LOG_LEVELS = ['off', 'error', 'warn', 'info', 'debug'] as const

/** Log level. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Log destination, such as `console`, pino or winston. Log lines never contain the key, a secret or a body. */
export type Logger = Record<Exclude<LogLevel, 'off'>, (message: string, fields?: object) => void>

type Attempt = Pick<RequestEvent, 'method' | 'path' | 'attempt'>

/** Calls hooks and writes log lines. */
export class Observer {
  /** Attempts sent so far, of all calls. */
  sent = 0
  readonly #hooks: Hooks
  readonly #logger: Logger | undefined
  readonly #level: number
  readonly redact: <Value>(value: Value) => Value

  constructor(hooks: Hooks, settings: { logger: Logger | undefined; logLevel: LogLevel; apiKey: string }) {
    this.#hooks = hooks
    this.#logger = settings.logger
    this.#level = LOG_LEVELS.indexOf(settings.logLevel)
    this.redact = keyRedactor(settings.apiKey)
  }

  log(level: Exclude<LogLevel, 'off'>, message: string, fields?: object): void {
    if (!this.#logger || this.#level < LOG_LEVELS.indexOf(level)) return
    try {
      this.#logger[level](`formwire: ${message}`, fields)
    } catch {
      // A failing logger must not fail a call.
    }
  }

  /** Returns the headers to send, as changed by the hook. A hook cannot set `authorization`. */
  request(event: Attempt, headers: Record<string, string>): Record<string, string> {
    const { onRequest } = this.#hooks
    this.sent += 1
    if (!onRequest && this.#level < 4) return headers
    const shown = { ...headers }
    let sent = headers
    const hook = (event: RequestEvent): unknown => {
      const done = onRequest?.(event)
      sent = checkedHeaders(shown)
      return done
    }
    this.tell({ onRequest: hook }, 'onRequest', { ...event, headers: shown })
    this.log('debug', 'request', event)
    return sent
  }

  response(attempt: Attempt, response: TransportResponse, durationMs: number): void {
    if (!this.#hooks.onResponse && this.#level < 4) return
    const requestId = this.redact(response.headers.get('x-request-id') ?? undefined)
    const event = { ...attempt, status: response.status, durationMs, requestId }
    this.tell(this.#hooks, 'onResponse', event)
    this.log('debug', 'response', event)
  }

  retry(attempt: Attempt, waitMs: number, error: FormwireError): void {
    const event = { ...attempt, waitMs, error }
    this.tell(this.#hooks, 'onRetry', event)
    this.log('warn', 'retrying', { ...event, error: error.toJSON() })
  }

  /** Calls a hook if it is set, and logs if it throws or rejects. */
  tell<Name extends string, Event>(
    hooks: { [name in Name]?: ((event: Event) => void) | undefined },
    name: Name,
    event: Event,
  ): void {
    if (!hooks[name]) return
    new Promise((resolve) => resolve(hooks[name]?.(event))).catch((error) =>
      this.log('error', `${name} threw`, { error: String(error) }),
    )
  }
}
