import type { FormwireError } from '../errors/formwire-error.ts'
import { checkedHeaders } from './checked-headers.ts'
import type { TransportResponse } from './transport.ts'

/** About to send one attempt. */
export interface RequestEvent {
  method: string
  /** Path below `/api/v1`, with its query. */
  path: string
  /** 1 for the first attempt. */
  attempt: number
  /**
   * Headers of this attempt without `authorization`, names in lower case. They are sent as the hook leaves them; if HTTP cannot
   * carry one, they are sent as they were, and the logger is told.
   */
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

/** Called around attempts. A hook that throws, or whose promise rejects, is reported to the logger and changes nothing. */
export interface Hooks {
  onRequest?: ((event: RequestEvent) => void) | undefined
  onResponse?: ((event: ResponseEvent) => void) | undefined
  onRetry?: ((event: RetryEvent) => void) | undefined
}

/** Levels from the quietest to the most talkative. */
export const LOG_LEVELS = ['off', 'error', 'warn', 'info', 'debug'] as const

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
    if (!this.#logger || this.#level < LOG_LEVELS.indexOf(level)) return
    try {
      this.#logger[level](message, fields)
    } catch {
      // There is nowhere left to say so, and a line that was not written must not fail a call.
    }
  }

  /** Gives the headers to send: as they are, or as the hook leaves them. A key it cannot put in. */
  request(
    method: string,
    path: string,
    attempt: number,
    headers: Record<string, string>,
  ): Record<string, string> {
    const { onRequest } = this.#hooks
    if (!onRequest && this.#level < 4) return headers
    const shown = { ...headers }
    let sent = headers
    const hook = (event: RequestEvent): unknown => {
      const done = onRequest?.(event)
      sent = checkedHeaders(shown)
      return done
    }
    this.tell({ onRequest: hook }, 'onRequest', { method, path, attempt, headers: shown })
    this.log('debug', 'formwire: request', { method, path, attempt })
    return sent
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
    this.tell(this.#hooks, 'onResponse', event)
    this.log('debug', 'formwire: response', event)
  }

  retry(method: string, path: string, attempt: number, waitMs: number, error: FormwireError): void {
    this.tell(this.#hooks, 'onRetry', { method, path, attempt, waitMs, error })
    this.log('warn', 'formwire: retrying', { method, path, attempt, waitMs, error: error.toJSON() })
  }

  /** Calls a hook, if there is one. Its failure, at once or later, is logged. */
  tell<Name extends string, Event>(
    hooks: { [name in Name]?: ((event: Event) => void) | undefined },
    name: Name,
    event: Event,
  ): void {
    if (!hooks[name]) return
    new Promise((resolve) => resolve(hooks[name]?.(event))).catch((error) =>
      this.log('error', `formwire: ${name} threw`, { error: String(error) }),
    )
  }
}
