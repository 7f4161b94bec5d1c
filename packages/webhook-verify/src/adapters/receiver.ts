import { diagnosticsChannel } from '@formwire/internal/diagnostics-channel'
import { isObjectOrArray } from '@formwire/internal/json'
import type { WonClaim } from '../dedupe/dedupe.ts'
import { type BodyInput, DEFAULT_MAX_BODY_BYTES } from '../verification/body.ts'
import {
  checkFunction,
  checkOption,
  checkOptions,
  invalidOption,
  type OptionNames,
  shown,
  unknownName,
} from '../verification/check-options.ts'
import { WebhookVerificationError } from '../verification/errors.ts'
import type { ResponseSubmittedEvent, TestPingEvent, VerifiedEvent } from '../verification/event.ts'
import { checkKeepMs, DEFAULT_TOLERANCE_SECONDS } from '../verification/freshness.ts'
import { readSecrets, type SecretInput } from '../verification/secrets.ts'
import type { HeadersInput, RawRequest, VerifyOptions, VerifyPolicy } from '../verification/verify-options.ts'

/** Handles one verified event. The return value is awaited and ignored. If the handler throws, the service retries. */
export type EventHandler<Event> = (event: Event) => unknown

/** Handlers by event type. */
export interface EventHandlers {
  'response.submitted'?: EventHandler<ResponseSubmittedEvent> | undefined
  'test.ping'?: EventHandler<TestPingEvent> | undefined
}

/** The part of a `Dedupe` that a receiver uses. Create one with `/dedupe`, `/dedupe/redis` or `/dedupe/postgres`. */
export interface ReceiverDedupe {
  /** How long a completed delivery is remembered, in milliseconds: not below `toleranceSeconds`. @default not checked */
  readonly keepMs?: number | undefined
  claim(
    event: VerifiedEvent,
  ): Promise<
    | { state: 'claimed'; complete(): Promise<boolean>; release(): Promise<boolean> }
    | { state: 'in_progress' }
    | { state: 'completed' }
  >
}

/** A request whose signature is not verified yet: anyone can send it. */
export interface UnverifiedRequest {
  /** The headers as the framework passes them. */
  readonly headers: HeadersInput
  /** The URL as the framework passes it: the path with the query on Node, the whole URL of a fetch `Request`. */
  readonly url: string
  /** The raw body as received. */
  readonly body: BodyInput
}

/** A secret of one endpoint, several during a rotation, `null` when there is no such endpoint, or nothing when it is not configured. */
type FoundSecret = SecretInput | null | undefined

/** A secret, or a function that returns it per request: for one receiver of many endpoints, or without an environment at startup. */
export type ReceiverSecret =
  | SecretInput
  | ((request: UnverifiedRequest) => FoundSecret | Promise<FoundSecret>)

/** A request as received, and its URL for `secret`. */
export interface ReceivedRequest extends RawRequest {
  /** @default '' */
  url?: string | undefined
}

/** Options of every `createReceiver`. */
export interface ReceiverOptions extends Omit<VerifyPolicy, 'secret'> {
  /**
   * The endpoint's secret, several during a rotation, or a function that returns either. The function receives the
   * headers, the URL and the body, which are not verified: use them to look the secret up and for nothing else. With `null`, the
   * delivery is refused as one that no secret matches. A value is checked when the receiver is created: use a function if
   * the module is also loaded without the secret, as `next build` does.
   * @example ({ url }) => secrets.get(url.split('/').at(-1)) ?? null
   */
  secret: ReceiverSecret
  /**
   * Handlers by event type. Other events are acknowledged and ignored, unless `otherwise` is set.
   * @example { 'response.submitted': (event) => save(event.response) }
   */
  on: EventHandlers
  /** Handles all event types without a handler in `on`, including types of later versions. */
  otherwise?: EventHandler<VerifiedEvent> | undefined
  /** Handles each delivery once. Without it, a repeated delivery is handled again. @example createMemoryDedupe() */
  dedupe?: ReceiverDedupe | undefined
  /**
   * `after`: respond when the handler is done; if it throws, the service retries. `before`: respond immediately and run
   * the handler afterwards; if it throws or the process dies, there is no retry, so use it only for work that may be
   * lost. Put long work that must not be lost in a queue, in a handler with `after`.
   * @default 'after'
   */
  acknowledge?: 'before' | 'after' | undefined
  /** Called with the work that continues after the response, such as `ctx.waitUntil` of Workers. The promise never rejects. */
  waitUntil?: ((work: Promise<void>) => void) | undefined
  /** Largest body in bytes. @default 2_621_440 (2.5 MiB) */
  maxBodyBytes?: number | undefined
  /** Called for every refusal and failure. Refusals are {@link WebhookVerificationError}. @default prints to `console.error` */
  onError?: ((error: unknown, event: VerifiedEvent | undefined) => void) | undefined
}

/** The names of {@link ReceiverOptions}. */
export const RECEIVER_OPTIONS: OptionNames<ReceiverOptions> = {
  secret: true,
  on: true,
  otherwise: true,
  dedupe: true,
  acknowledge: true,
  waitUntil: true,
  maxBodyBytes: true,
  toleranceSeconds: true,
  now: true,
  onError: true,
}

/** The HTTP response to a delivery. */
export interface ReceiverResponse {
  status: number
  headers: Record<string, string>
  /** Plain text of at most 300 characters, as many as the delivery log shows. */
  body: string
}

/** A request as an adapter reads it. */
export interface ReadRequest extends ReceivedRequest {
  /** The delivery's headers alone, where that is faster than to look for them in all. */
  deliveryHeaders?: HeadersInput
}

/** Reads a request of a framework. @throws WebhookVerificationError (at once or as a rejection). */
export type Read<Request> = (request: Request, maxBodyBytes: number) => ReadRequest | Promise<ReadRequest>

/** The verifier of Node, or that of `/web`. */
type Verify = (options: VerifyOptions) => VerifiedEvent | Promise<VerifiedEvent>

/** The `verifyRequest` of an adapter. @throws WebhookVerificationError (as a rejection). */
export async function verifyRead<Request>(
  verify: Verify,
  read: Read<Request>,
  request: Request,
  options: VerifyRequestOptions,
): Promise<VerifiedEvent> {
  const policy = requestPolicy(options)
  const { headers, body } = await read(request, options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES)
  return verify({ ...policy, headers, body })
}

/**
 * The receiver behind every adapter: verify, dedupe on the signed ids, handle. Its response decides whether the service
 * retries (DLV-05, DLV-06): 2xx ends the delivery, anything else causes a retry. It refuses any method but POST, and never rejects.
 * @param names the adapter's option names.
 * @throws WebhookVerificationError code "invalid_option", or "invalid_secret" for a secret that is not a function and is empty.
 */
export function createReceive<Request>(
  verify: Verify,
  read: Read<Request>,
  options: ReceiverOptions,
  names: OptionNames<ReceiverOptions> = RECEIVER_OPTIONS,
): (method: string | undefined, request: Request) => Promise<ReceiverResponse> {
  checkOptions(options, names)
  checkReceiverOptions(options)
  // Else every delivery would be refused, six times each, before anyone looks.
  if (typeof options.secret !== 'function') readSecrets(options.secret)
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options
  const onError = guarded(options.onError ?? printError)

  /** @returns whether the handler succeeded. */
  async function work(
    event: VerifiedEvent,
    handle: () => unknown,
    claim: WonClaim | undefined,
  ): Promise<boolean> {
    let succeeded = true
    try {
      await published(event, handle)
    } catch (error) {
      succeeded = false
      onError(error, event)
    }
    if (!claim) return succeeded
    try {
      await (succeeded ? claim.complete() : claim.release())
    } catch (failure) {
      // After success a retry would only repeat the work, and a claim that is not released expires, so that a retry is handled.
      onError(failure, event)
    }
    return succeeded
  }

  return async (method, request) => {
    if (method !== 'POST') return methodNotAllowed()
    let event: VerifiedEvent | undefined
    try {
      const { headers, deliveryHeaders = headers, body, url = '' } = await read(request, maxBodyBytes)
      const { secret: source, toleranceSeconds, now } = options
      // Awaiting what is there already would cost as much as checking the headers.
      const secret = typeof source === 'function' ? await secretFrom(source, { headers, url, body }) : source
      const verified = verify({ secret, headers: deliveryHeaders, body, toleranceSeconds, now })
      event = verified instanceof Promise ? await verified : verified
      const handle = handlerOf(options, event)
      if (handle === undefined) return textResponse(200, 'ignored: no handler for this event')
      const claim = options.dedupe && (await options.dedupe.claim(event))
      if (claim?.state === 'completed') return textResponse(200, 'duplicate: already handled')
      if (claim?.state === 'in_progress')
        return textResponse(409, 'in progress: already being handled, try again later')
      const working = work(event, handle, claim)
      if (options.acknowledge === 'before') {
        options.waitUntil?.(working.then(() => undefined))
        return textResponse(202, 'accepted')
      }
      return (await working) ? textResponse(200, 'ok') : textResponse(500, 'handler failed: try again later')
    } catch (error) {
      onError(error, event)
      if (error instanceof WebhookVerificationError) return refusal(error)
      return textResponse(503, 'not ready: try again later')
    }
  }
}

const EVENTS: readonly string[] = ['response.submitted', 'test.ping'] satisfies Array<keyof EventHandlers>

/** Without this check, a misspelled event would never be handled, and a wrong type would surface at the first delivery. */
function checkReceiverOptions(options: ReceiverOptions): void {
  const { on, acknowledge = 'after', dedupe, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = options
  checkOption(isObjectOrArray(on), 'on', 'an object of handlers', on)
  for (const [type, handler] of Object.entries(on)) {
    if (!EVENTS.includes(type)) {
      throw unknownName('event', type, EVENTS, ' in on', ' Use otherwise for others.')
    }
    checkFunction(`on[${JSON.stringify(type)}]`, handler)
  }
  for (const name of ['otherwise', 'waitUntil', 'onError'] as const) checkFunction(name, options[name])
  const isKnown = acknowledge === 'after' || acknowledge === 'before'
  checkOption(isKnown, 'acknowledge', '"after" or "before"', acknowledge)
  if (dedupe !== undefined && typeof dedupe?.claim !== 'function') {
    throw invalidOption(`dedupe must have a claim method, as createMemoryDedupe() has, got ${shown(dedupe)}.`)
  }
  if (dedupe?.keepMs !== undefined) checkKeepMs(dedupe.keepMs, toleranceSeconds)
  checkMaxBodyBytes(options.maxBodyBytes)
}

/** @throws WebhookVerificationError code "invalid_option": a limit of NaN would accept any length. */
export function checkMaxBodyBytes(maxBodyBytes: number = DEFAULT_MAX_BODY_BYTES): void {
  const holds = typeof maxBodyBytes === 'number' && maxBodyBytes > 0
  checkOption(holds, 'maxBodyBytes', 'a number of bytes above 0', maxBodyBytes)
}

/** How a request is verified and how large its body may be. */
export interface VerifyRequestOptions extends VerifyPolicy {
  /** Largest body in bytes. @default 2_621_440 (2.5 MiB) */
  maxBodyBytes?: number | undefined
}

/**
 * Returns the options that concern verification. Accepts all options of a receiver, so that `createReceiver` and
 * `verifyRequest` can share them.
 * @throws WebhookVerificationError code "invalid_option".
 */
export function requestPolicy(options: VerifyRequestOptions): VerifyPolicy {
  checkOptions(options, RECEIVER_OPTIONS)
  checkMaxBodyBytes(options.maxBodyBytes)
  const { secret, toleranceSeconds, now } = options
  return { secret, toleranceSeconds, now }
}

/** Returns the response to a refused request: code and message, never the hint, which may reveal the receiver's setup. */
function refusal(error: WebhookVerificationError): ReceiverResponse {
  const text = error.status < 500 ? `${error.code}: ${error.message}` : error.code
  return textResponse(error.status, text.slice(0, 300))
}

function methodNotAllowed(): ReceiverResponse {
  const refused = textResponse(405, 'method not allowed: use POST')
  return { ...refused, headers: { ...refused.headers, allow: 'POST' } }
}

function textResponse(status: number, body: string): ReceiverResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body }
}

async function secretFrom(
  find: Extract<ReceiverSecret, (request: never) => unknown>,
  request: UnverifiedRequest,
): Promise<SecretInput> {
  const found = await find(request)
  if (found === null) {
    throw new WebhookVerificationError('no_match', 'There is no secret for this request.', {
      hint: 'The function that looks the secret up returned null: check that the URL of the endpoint is that of the receiver, and that its secret is stored.',
    })
  }
  // If the function returns nothing, the verifier refuses it with a hint about the environment.
  return found as SecretInput
}

function handlerOf(options: ReceiverOptions, event: VerifiedEvent): (() => unknown) | undefined {
  const handlers = options.on as Record<string, EventHandler<VerifiedEvent> | undefined>
  const handler = (EVENTS.includes(event.type) && handlers[event.type]) || options.otherwise
  return handler && (() => handler(event))
}

/** Prints errors of the error listener instead of throwing them. */
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

/**
 * One run of a handler, as the subscribers of the diagnostics channels `formwire:webhook:handle:start` and
 * `formwire:webhook:handle:end` receive it: the same object twice.
 */
interface HandleMessage {
  readonly type: string
  readonly deliveryId: string | null
  /** What the handler threw. Set at the end. */
  error?: unknown
  /** A subscriber of `start` may set this to run the handler in its own context. */
  run?: <Result>(handle: () => Result) => Result
}

const handleStart = diagnosticsChannel<HandleMessage>('formwire:webhook:handle:start')
const handleEnd = diagnosticsChannel<HandleMessage>('formwire:webhook:handle:end')

/** Runs a handler and publishes its start and its end. Costs one comparison if nobody subscribed. */
async function published(event: VerifiedEvent, handle: () => unknown): Promise<void> {
  if (!handleStart?.hasSubscribers) {
    await handle()
    return
  }
  const message: HandleMessage = { type: event.type, deliveryId: event.deliveryId }
  handleStart.publish(message)
  try {
    await (message.run ? message.run(handle) : handle())
  } catch (error) {
    message.error = error
    throw error
  } finally {
    handleEnd?.publish(message)
  }
}
