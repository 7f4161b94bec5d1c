import { LIMITS } from '@formwire/contract'
import type { Dispatcher } from 'undici'
// By its file, because Bun replaces the module `undici` with one of its own that cannot be given a connector.
import { Agent } from 'undici/index.js'
import type { AttemptError } from '../domain/delivery.ts'
import type { Result } from '../domain/result.ts'
import { type AddressRules, checkAddresses, checkUrl, type WebhookTarget } from '../policy/address-rules.ts'
import { elapsedTime, nextTurn, queueMicrotask, setImmediate } from '../real-timers.ts'
import { AttemptFailure } from './attempt-failure.ts'
import { resolveAll } from './resolve-host.ts'
import { safeConnector } from './safe-connect.ts'
import type { AttemptRequest, AttemptResult, Sender, SenderSettings } from './sender.ts'
import { needsLookup, requireAllowed } from './webhook-target.ts'

/** Of a refused URL, to which nothing is sent. */
const NO_PARTS = { origin: '', pathname: '', search: '' }

/** Why a request is aborted. Nobody sees it: the attempt has ended. */
const ENDED = new Error('The attempt has ended.')

/** A checked URL, and its parts that undici needs. */
interface CheckedUrl {
  readonly checked: Result<WebhookTarget>
  readonly origin: string
  readonly path: string
}

/** Maximum number of checked URLs to keep for later attempts. */
const MAX_CHECKED_URLS = 1000

/** Sends attempts over pooled connections. Every failure is reported as a result with its error class. */
export class AttemptSender implements Sender {
  readonly #settings: SenderSettings
  readonly #agent: Agent
  readonly #checkedUrls = new Map<string, CheckedUrl>()
  /** The rules that those were checked by. */
  #checkedBy: AddressRules | undefined
  readonly #running = new Set<Attempt>()

  constructor(settings: SenderSettings) {
    this.#settings = settings
    const { timeoutMs, connectDeadlines } = settings
    this.#agent = new Agent({
      connect: safeConnector(settings, timeoutMs, connectDeadlines),
      // Our own deadline covers everything: undici's timeouts are inexact, and its body timeout restarts with each byte.
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
    })
  }

  send(request: AttemptRequest, done: (result: AttemptResult) => void): void {
    const { deadlines = elapsedTime, timeoutMs } = this.#settings
    const attempt = new Attempt(this.#running, done)
    const end = deadlines.now() + timeoutMs
    // Node counts from when its loop last looked at the time, so a timer can fire early.
    const wait = (): void => {
      const left = end - deadlines.now()
      if (left > 0) attempt.cancelDeadline = deadlines.wakeAfter(left, wait)
      else attempt.expire()
    }
    wait()
    try {
      const url = this.#check(request.url)
      const target = requireAllowed(url.checked)
      if (!needsLookup(target, this.#settings.hostOverrides)) {
        if (!target.literal) requireAllowed(checkAddresses(target, [], this.#settings.rules))
        dispatch(this.#agent, attempt, url, request)
        return
      }
      // A pooled connection needs no lookup. Resolve the name here too, so that a change of its addresses is noticed
      // at this attempt (HOOK-05). The connector checks the address of the actual connection.
      resolveAll(this.#settings.resolve, target.host)
        .then((addresses) => {
          requireAllowed(checkAddresses(target, addresses, this.#settings.rules))
          dispatch(this.#agent, attempt, url, request)
        })
        .catch((error: unknown) => attempt.onResponseError(undefined, error))
    } catch (error) {
      queueMicrotask(() => attempt.onResponseError(undefined, error))
    }
  }

  abandonAll(): void {
    for (const attempt of this.#running) attempt.abandon()
  }

  async close(): Promise<void> {
    this.abandonAll()
    // This closes all connections now. undici reports it in a microtask, which fake timers may delay forever.
    await Promise.race([this.#agent.destroy(), nextTurn().then(nextTurn)])
  }

  #check(text: string): CheckedUrl {
    const { rules } = this.#settings
    if (rules !== this.#checkedBy) this.#checkedUrls.clear()
    this.#checkedBy = rules
    const known = this.#checkedUrls.get(text)
    if (known) return known
    const checked = checkUrl(text, rules)
    const { origin, pathname, search } = checked.ok ? checked.value.url : NO_PARTS
    const url = { checked, origin, path: pathname + search }
    if (this.#checkedUrls.size >= MAX_CHECKED_URLS) this.#checkedUrls.clear()
    this.#checkedUrls.set(text, url)
    return url
  }
}

function dispatch(
  agent: Agent,
  attempt: Attempt,
  { origin, path }: CheckedUrl,
  { headers, body }: AttemptRequest,
): void {
  if (attempt.settled) return
  agent.dispatch(
    {
      origin,
      path,
      method: 'POST',
      headers: headers as string[],
      body,
      // undici reuses a connection with the global setImmediate. Where a test has replaced it, keep no connection.
      reset: globalThis.setImmediate !== setImmediate,
    },
    attempt as Dispatcher.DispatchHandler,
  )
}

/** A request in flight: undici's handler, the deadline, and the beginning of the response body. */
class Attempt {
  settled = false
  cancelDeadline: () => void = () => {}
  readonly #running: Set<Attempt>
  readonly #done: (result: AttemptResult) => void
  readonly #body = new ReceiverAnswerExcerpt()
  #status: number | null = null
  #controller: Dispatcher.DispatchController | undefined

  /** @param running The attempts in flight, to which this one belongs until it ends. */
  constructor(running: Set<Attempt>, done: (result: AttemptResult) => void) {
    this.#running = running.add(this)
    this.#done = done
  }

  /** The deadline has passed. */
  expire(): void {
    // If this process was blocked, a response may have arrived in time without being read: read it first.
    setImmediate(() => this.#end('timeout'))
  }

  /** Ends the attempt now, as if the connection had been reset. */
  abandon(): void {
    this.#end('reset')
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The deadline passed while the attempt waited for a connection, so nothing must be sent.
    if (this.settled) controller.abort(ENDED)
  }

  onResponseStart(_controller: unknown, status: number): void {
    // Interim responses (1xx) precede the final one.
    if (status >= 200) this.#status = status
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (!this.#body.add(chunk)) this.#end('protocol')
  }

  onResponseEnd(): void {
    this.#end('protocol')
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.#end(errorOfException(error))
  }

  /** Once the status has arrived it decides the outcome, whatever happens to the body (DLV-05). Before that, the error does. */
  #end(errorWithoutStatus: AttemptError): void {
    if (this.settled) return
    this.settled = true
    const status = this.#status
    // Does nothing if undici has ended the request. Otherwise the rest of the response is not needed.
    this.#controller?.abort(ENDED)
    this.cancelDeadline()
    this.#running.delete(this)
    this.#done({
      httpStatus: status,
      error: status === null ? errorWithoutStatus : errorOfStatus(status),
      receiverAnswer: status === null ? null : this.#body.text(),
    })
  }
}

/** Returns the error of a response status: none for 2xx. Redirects are failures (DLV-05). */
export function errorOfStatus(status: number): AttemptError | null {
  return status >= 200 && status <= 299 ? null : `http_${status}`
}

const CLASS_OF_CODE: Readonly<Record<string, AttemptError>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EHOSTDOWN: 'refused',
  EADDRNOTAVAIL: 'refused',
  EACCES: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
}

/** Returns the error class of an attempt without a response; `protocol` when no other class fits. */
export function errorOfException(error: unknown): AttemptError {
  if (error instanceof AttemptFailure) return error.failure
  // Several addresses were tried: use the last error.
  if (error instanceof AggregateError && error.errors.length > 0) return errorOfException(error.errors.at(-1))
  const { code, message } = error as { code?: unknown; message?: unknown }
  // biome-ignore lint/plugin: undici has this code for a protocol switch and an unrequested response, too, where nothing was lost
  if (code === 'UND_ERR_SOCKET' && /^bad /.test(String(message))) return 'protocol'
  return CLASS_OF_CODE[String(code)] ?? 'protocol'
}

/** Enough bytes for the characters that are kept: a character has at most four bytes in UTF-8. */
const KEPT_BYTES = 4 * LIMITS.receiverAnswerMaxLength

/** Collects the beginning of a receiver's response body, no more than the log keeps (DLV-07, DLV-11). */
export class ReceiverAnswerExcerpt {
  readonly #chunks: Buffer[] = []
  #length = 0

  /** Adds a chunk. Returns whether more is needed. */
  add(chunk: Buffer): boolean {
    // A copy, since a slice would keep the whole chunk in memory.
    const kept = Buffer.from(chunk.subarray(0, KEPT_BYTES - this.#length))
    this.#chunks.push(kept)
    this.#length += kept.length
    return this.#length < KEPT_BYTES
  }

  /** Returns the first 300 Unicode code points. Invalid UTF-8 becomes U+FFFD. */
  text(): string {
    const text = Buffer.concat(this.#chunks).toString('utf8')
    return [...text].slice(0, LIMITS.receiverAnswerMaxLength).join('')
  }
}
