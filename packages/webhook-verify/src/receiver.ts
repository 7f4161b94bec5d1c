import { WebhookVerificationError } from './errors.ts'
import type { ResponseSubmittedEvent, TestPingEvent, VerifiedEvent } from './event.ts'
import type { SecretInput } from './secrets.ts'
import type { RawRequest, VerifyOptions, VerifyPolicy } from './verify-options.ts'

/** Handles one verified event. What it returns is awaited and dropped; throwing has the service try again. */
export type EventHandler<Event> = (event: Event) => unknown

/** A handler for each kind of event. */
export interface EventHandlers {
  'response.submitted'?: EventHandler<ResponseSubmittedEvent> | undefined
  'test.ping'?: EventHandler<TestPingEvent> | undefined
}

/** Just what a receiver needs of `@formwire/webhook-verify/dedupe` or `/dedupe/redis`. */
export interface ReceiverDedupe {
  claim(
    event: VerifiedEvent,
  ): Promise<
    | { state: 'claimed'; complete(): Promise<boolean>; release(): Promise<boolean> }
    | { state: 'in_progress' }
    | { state: 'completed' }
  >
}

/** A secret, or a function that gives it at each request: for runtimes whose environment is not there at start. */
export type ReceiverSecret = SecretInput | (() => SecretInput | undefined | Promise<SecretInput | undefined>)

/** Options of every `createReceiver`. */
export interface ReceiverOptions extends Omit<VerifyPolicy, 'secret'> {
  /** The endpoint's secret, several during a rotation, or a function that gives either. */
  secret: ReceiverSecret
  /** A handler for each kind of event that matters. The others are acknowledged and dropped, unless `otherwise` is set. */
  on: EventHandlers
  /** Handles the kinds without a handler in `on`, those of later versions included. */
  otherwise?: EventHandler<VerifiedEvent> | undefined
  /** Handles each delivery once. Without it a delivery that comes again is handled again. */
  dedupe?: ReceiverDedupe | undefined
  /**
   * `after`: answer when the handler is done; if it throws, the service tries again. `before`: answer at once and work
   * afterwards; if the handler throws or the process dies, nobody tries again, so only for work that may be lost. Work
   * that may not, but takes long, belongs in a queue: put it there in a handler with `after`.
   * @default 'after'
   */
  acknowledge?: 'before' | 'after' | undefined
  /** Takes the work that goes on after the answer, such as `ctx.waitUntil` of Workers. It never rejects. */
  waitUntil?: ((work: Promise<void>) => void) | undefined
  /** Largest body in bytes. @default 1_048_576 (1 MiB) */
  maxBodyBytes?: number | undefined
  /** Learns of every refusal and failure. Refusals are {@link WebhookVerificationError}. @default prints to `console.error` */
  onError?: ((error: unknown, event: VerifiedEvent | undefined) => void) | undefined
}

/** What to answer the service. */
export interface ReceiverAnswer {
  status: number
  headers: Record<string, string>
  /** Plain text, at most 300 characters, fit for the delivery log in the app. */
  body: string
}

/** Largest body in bytes, when none is said (1 MiB). */
export const DEFAULT_MAX_BODY_BYTES = 1_048_576

/** Turns one request into an answer; never rejects. */
export type Receive = (read: () => RawRequest | Promise<RawRequest>) => Promise<ReceiverAnswer>

/**
 * The receiver behind every door: verify, then dedupe on what is signed, then handle. Its answers make the service's
 * retries do the right thing (DLV-05, DLV-06): 2xx ends the delivery; everything else has it sent again.
 */
export function createReceive(
  options: ReceiverOptions,
  verify: (options: VerifyOptions) => VerifiedEvent | Promise<VerifiedEvent>,
): Receive {
  const onError = guarded(options.onError ?? printError)

  /** @returns whether the handler ended well. */
  async function work(
    event: VerifiedEvent,
    handle: () => unknown,
    claim: WonClaim | undefined,
  ): Promise<boolean> {
    try {
      await handle()
    } catch (error) {
      onError(error, event)
      // A release that fails leaves the claim to its deadline, after which a retry gets through.
      await claim?.release().catch((failure: unknown) => onError(failure, event))
      return false
    }
    // The work is done: even if the store is gone by now, having it sent again would only do it twice.
    await claim?.complete().catch((failure: unknown) => onError(failure, event))
    return true
  }

  return async (read) => {
    let event: VerifiedEvent | undefined
    try {
      const { headers, body } = await read()
      const { toleranceSeconds, now } = options
      event = await verify({ secret: await secretOf(options.secret), headers, body, toleranceSeconds, now })
      const handle = handlerOf(options, event)
      if (handle === undefined) return answer(200, 'ignored: no handler for this event')
      const claim = await options.dedupe?.claim(event)
      if (claim?.state === 'completed') return answer(200, 'duplicate: handled before')
      if (claim?.state === 'in_progress')
        return answer(409, 'in progress: being handled right now, try again later')
      const working = work(event, handle, claim)
      if (options.acknowledge === 'before') {
        options.waitUntil?.(working.then(() => undefined))
        return answer(202, 'accepted')
      }
      return (await working) ? answer(200, 'ok') : answer(500, 'handler failed: try again later')
    } catch (error) {
      onError(error, event)
      if (error instanceof WebhookVerificationError) return refusal(error)
      return answer(503, 'not ready: try again later')
    }
  }
}

type WonClaim = Extract<Awaited<ReturnType<ReceiverDedupe['claim']>>, { state: 'claimed' }>

/** The answer to a refused request: code and message, never the hint, which may tell of the receiver's own set-up. */
function refusal(error: WebhookVerificationError): ReceiverAnswer {
  const told = error.status < 500 ? `${error.code}: ${error.message}` : error.code
  return answer(error.status, told.slice(0, 300))
}

/** The answer to anything but a POST. */
export function methodNotAllowed(): ReceiverAnswer {
  const refused = answer(405, 'deliveries come by POST')
  return { ...refused, headers: { ...refused.headers, allow: 'POST' } }
}

function answer(status: number, body: string): ReceiverAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body }
}

async function secretOf(secret: ReceiverSecret): Promise<SecretInput> {
  // A function that finds nothing is refused by the verifier, with its hint at the environment.
  return (typeof secret === 'function' ? await secret() : secret) as SecretInput
}

function handlerOf(options: ReceiverOptions, event: VerifiedEvent): (() => unknown) | undefined {
  const { on, otherwise } = options
  if (event.type === 'response.submitted' && on['response.submitted']) {
    const handler = on['response.submitted']
    return () => handler(event)
  }
  if (event.type === 'test.ping' && on['test.ping']) {
    const handler = on['test.ping']
    return () => handler(event)
  }
  return otherwise && (() => otherwise(event))
}

/** Whoever listens for errors must not make one. */
function guarded(onError: NonNullable<ReceiverOptions['onError']>): NonNullable<ReceiverOptions['onError']> {
  return (error, event) => {
    try {
      onError(error, event)
    } catch (failure) {
      printError(failure)
    }
  }
}

function printError(error: unknown): void {
  if (error instanceof WebhookVerificationError) {
    console.error(`webhook refused: ${error.code}: ${error.message} ${error.hint}`)
  } else {
    console.error('webhook failed:', error)
  }
}
