import { DELIVERY_HEADERS, LIMITS } from '@formwire/contract'
import type { SleepClock } from '@formwire/internal/clock'
import { signatureHeader } from '@formwire/webhook-verify'
import { usage } from '../failure.ts'
import { sendRequest } from '../http/request.ts'
import type { ForwardTarget } from '../input/handler-url.ts'
import { connectionCode, connectionProblem, type ServiceError } from '../service-message.ts'
import {
  forwardedHeaders,
  type HandledDelivery,
  headerValue,
  type RawDelivery,
  signedDelivery,
} from './delivery.ts'
import { isAccepted, type ReceivedDelivery, receivedDelivery } from './received-delivery.ts'

/** Milliseconds between connection attempts while a handler starts. */
const START_RETRY_MS = 100
/** Limit for the handler's response body. The service keeps only 300 characters. */
const MAX_RESPONSE_BYTES = 64 * 1024

/** The outcome of forwarding a delivery: the response, or why there was none. */
export type Forwarded = { durationMs: number } & (
  | { status: number; reason: null; body: Buffer; contentType: string | undefined }
  /** `reason` is a sentence, such as `cannot connect to the handler: connection refused`. */
  | { status: null; reason: string; code: string | undefined }
)

/** One request to a handler. */
export interface ForwardRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** Accepts any TLS certificate. */
  insecure: boolean
  /** @default the 10 seconds of the service (DLV-05) */
  timeoutMs?: number
}

/** Sends the bytes to the handler and resolves to its response. Never throws. `name` is what the reason of a failure calls it. */
export async function forward(
  { headers, timeoutMs = LIMITS.deliveryTimeoutMs, ...request }: ForwardRequest,
  now: () => number,
  name = 'the handler',
): Promise<Forwarded> {
  const startedAt = now()
  try {
    const response = await sendRequest(
      {
        ...request,
        method: 'POST',
        headers: { ...headers, 'content-length': request.body.length },
        timeoutMs,
      },
      MAX_RESPONSE_BYTES,
    )
    const { status, body } = response
    const contentType = response.headers['content-type']
    return { status, reason: null, body, contentType, durationMs: now() - startedAt }
  } catch (error) {
    return { status: null, ...reasonOf(error as Error, name), durationMs: now() - startedAt }
  }
}

const CERTIFICATE = /CERT|^UNABLE_TO|^SELF_SIGNED|^DEPTH_ZERO/
const NOT_CONNECTED = /^(?:ECONNREFUSED$|ENOTFOUND$|EAI_|EHOST|ENET)/

/** Returns why there was no response, as a sentence about the handler. */
function reasonOf(error: Error, name: string): { reason: string; code: string | undefined } {
  const code = connectionCode(error)
  const problem = connectionProblem(error) ?? error.message
  if (code !== undefined && CERTIFICATE.test(code))
    return {
      code,
      reason: `the certificate of ${name} is not trusted (${code}); pass --insecure for a local handler`,
    }
  if (code !== undefined && NOT_CONNECTED.test(code))
    return { code, reason: `cannot connect to ${name}: ${problem}` }
  const { timeoutMs } = error as ServiceError
  const within = timeoutMs === undefined ? `: ${problem}` : ` within ${Number(timeoutMs) / 1000} s`
  return { code, reason: `no response from ${name}${within}` }
}

/** Returns the delivery with as much of the handler's response body as the service keeps (DLV-07). */
export function handled(delivery: RawDelivery, forwarded: Forwarded | undefined): HandledDelivery {
  if (!forwarded || forwarded.status === null) return delivery
  // A character has at most four bytes.
  const start = forwarded.body.subarray(0, 4 * LIMITS.receiverAnswerMaxLength).toString()
  return { ...delivery, responseBody: start.slice(0, LIMITS.receiverAnswerMaxLength) }
}

/**
 * Returns the usual cause of a handler's response status and what to check; undefined for 2xx. `secret` says where the
 * handler's secret comes from; `isRetried`: whether the delivery is sent again.
 */
export function statusAdvice(status: number, secret: string, isRetried: boolean): string | undefined {
  if (isAccepted(status)) return undefined
  const next = isRetried ? '; the delivery is retried later' : ''
  if (status >= 300 && status < 400)
    return 'redirects are not followed and count as failures: forward to the final URL'
  switch (status) {
    case 400:
      return 'the handler rejected the request: check that it verifies the raw body before parsing it, and that no header is lost'
    case 401:
    case 403:
      return `the handler refused the signature: check that it verifies the raw bytes with ${secret}`
    case 404:
    case 405:
      return 'no such route: check the path of --forward-to, and that the handler accepts POST'
    case 408:
    case 504:
      return 'the handler is too slow: respond with 2xx within 10 seconds, then process'
    case 413:
      return "the handler's body limit is too small for this response"
    case 429:
      return `the handler is rate limiting${next}`
    default:
      return status >= 500
        ? `the handler failed: check its log${next}`
        : `any status other than 2xx counts as a failure${next}`
  }
}

/** The handlers of a run: one for every form, or one per form. */
export class Targets {
  readonly #default: string | undefined
  readonly #byForm = new Map<string, string>()
  /** Whether each form that is followed has a handler of its own. */
  readonly #isComplete: boolean

  /** @throws Failure exit 2 for two handlers of one form, or for a form that is not followed. `forms`: empty means any. */
  constructor(targets: readonly ForwardTarget[], forms: readonly string[] = []) {
    for (const { formId, url } of targets) {
      if (formId === undefined) {
        if (this.#default !== undefined)
          throw usage('--forward-to was given twice', 'for a handler per form, pass --forward-to FORM=URL')
        this.#default = url
        continue
      }
      if (forms.length > 0 && !forms.includes(formId))
        throw usage(`--forward-to names form ${formId}, which is not followed`, `add --form ${formId}`)
      if (this.#byForm.has(formId)) throw usage(`--forward-to was given twice for form ${formId}`)
      this.#byForm.set(formId, url)
    }
    this.#isComplete = forms.length > 0 && forms.every((formId) => this.#byForm.has(formId))
  }

  /** Returns the handler of a form; undefined if its deliveries are only shown. */
  of(formId: string | null): string | undefined {
    return (formId === null ? undefined : this.#byForm.get(formId)) ?? this.#default
  }

  /** Whether there is no handler at all. */
  get none(): boolean {
    return this.#default === undefined && this.#byForm.size === 0
  }

  /** Returns the handlers on one line, such as `http://localhost:3000/, FORM → http://localhost:4000/`. */
  describe(): string {
    const perForm = [...this.#byForm].map(([formId, url]) => `${formId} → ${url}`)
    const all = [...(this.#default === undefined ? [] : [this.#default]), ...perForm].join(', ')
    const hasOthers = this.#default === undefined && !this.#isComplete
    return hasOthers ? `${all}; deliveries of other forms are only shown` : all
  }
}

/** How deliveries reach the handlers. */
export interface HandlerOptions {
  targets: Targets
  /** Additional headers. */
  headers: Readonly<Record<string, string>>
  /** Accepts any TLS certificate. */
  insecure: boolean
  /** Signs every delivery with this secret. @default the original signature is forwarded */
  signWith: string | undefined
  /** Where the handlers' secret comes from, for advice. */
  secretOrigin: string
  /** Whether a handler that refuses connections may still be starting. */
  starting(): boolean
  clock: SleepClock
}

/** What is known of an event before it is sent. */
type EventFacts = Pick<ReceivedDelivery, 'number' | 'event' | 'form_id' | 'response_id' | 'payload'> & {
  delivery_id: string
}

/** The handlers that deliveries are forwarded to. */
export class Handler {
  readonly targets: Targets
  readonly #options: HandlerOptions
  #reached = false

  constructor(options: HandlerOptions) {
    this.targets = options.targets
    this.#options = options
  }

  /**
   * Sends the same bytes with the headers of the delivery to the handler of the form and resolves to its response, within the 10
   * seconds of the service (DLV-05); undefined if the form has no handler.
   */
  async send(delivery: RawDelivery, formId: string | null): Promise<Forwarded | undefined> {
    const { headers, insecure, signWith, clock, starting } = this.#options
    const url = this.targets.of(formId)
    if (url === undefined) return undefined
    const original = forwardedHeaders(delivery.rawHeaders)
    const signed = signWith === undefined ? original : signedAgain(original, delivery, signWith)
    const request = { url, headers: { ...headers, ...signed }, body: delivery.body, insecure }
    const deadline = clock.now() + LIMITS.deliveryTimeoutMs
    for (;;) {
      const timeoutMs = Math.max(1, deadline - clock.now())
      const forwarded = await forward({ ...request, timeoutMs }, () => clock.now())
      if (forwarded.status !== null) this.#reached = true
      const mayStart =
        !this.#reached && forwarded.status === null && forwarded.code === 'ECONNREFUSED' && starting()
      if (!mayStart || deadline - clock.now() <= START_RETRY_MS) return forwarded
      await clock.sleep(START_RETRY_MS)
    }
  }

  /** Sends an event to the handler of its form, signed with the secret. Returns it as it is shown. */
  async deliver(
    { body, ...facts }: EventFacts & { body: Buffer },
    secret: string,
    isRetried: boolean,
  ): Promise<{ received: ReceivedDelivery; delivery: HandledDelivery; forwarded: Forwarded | undefined }> {
    const now = this.#options.clock.now()
    const { event, delivery_id, form_id } = facts
    const sent = signedDelivery({ body, event, deliveryId: delivery_id }, secret, now)
    const forwarded = await this.send(sent, form_id)
    const outcome = this.outcome(form_id, forwarded, { isRetried })
    const received = receivedDelivery({ ...facts, ...outcome, received_at: new Date(now).toISOString() })
    return { received, delivery: handled(sent, forwarded), forwarded }
  }

  /**
   * Returns what is shown of a delivery that was sent with this outcome.
   * @param options.answered the response status, if it is not that of the handler
   * @param options.isRetried whether the delivery is sent again after a failure
   */
  outcome(
    formId: string | null,
    forwarded: Forwarded | undefined,
    options: { answered?: number; isRetried?: boolean } = {},
  ): Pick<ReceivedDelivery, 'answered' | 'forwarded' | 'advice'> {
    const { answered = forwarded ? (forwarded.status ?? 502) : 200, isRetried = true } = options
    if (!forwarded) return { answered, forwarded: null, advice: this.#withoutHandler(formId) }
    const { status, reason, durationMs } = forwarded
    const { secretOrigin } = this.#options
    return {
      answered,
      forwarded: { status, duration_ms: Math.round(durationMs), reason },
      advice: status === null ? null : (statusAdvice(answered, secretOrigin, isRetried) ?? null),
    }
  }

  /** Returns that no handler gets the delivery although others have one. */
  #withoutHandler(formId: string | null): string | null {
    if (this.targets.none || this.targets.of(formId) !== undefined) return null
    return `no handler is set for form ${formId}: add --forward-to ${formId}=URL, or one for all forms`
  }
}

/** Returns the headers with a signature by `secret` of the same body and timestamp. */
function signedAgain(
  headers: Readonly<Record<string, string>>,
  { rawHeaders, body }: RawDelivery,
  secret: string,
): Record<string, string> {
  const timestamp = Number(headerValue(rawHeaders, DELIVERY_HEADERS.timestamp))
  const name =
    Object.keys(headers).find((one) => one.toLowerCase() === DELIVERY_HEADERS.signature) ??
    DELIVERY_HEADERS.signature
  return { ...headers, [name]: signatureHeader(secret, timestamp, body) }
}
