import { DELIVERY_HEADERS, LIMITS } from '@formwire/contract'
import type { SleepClock } from '@formwire/internal/clock'
import { signatureHeader } from '@formwire/webhook-verify'
import { type Forwarded, forward } from './forward.ts'
import { forwardedHeaders, headerValue } from './headers.ts'
import type { RawDelivery } from './receiver.ts'
import { statusAdvice } from './status-advice.ts'
import type { Targets } from './targets.ts'

/** Milliseconds between connection attempts while a handler starts. */
const START_RETRY_MS = 100

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

/** The handlers that deliveries are forwarded to. */
export class Handler {
  readonly #options: HandlerOptions
  #reached = false

  constructor(options: HandlerOptions) {
    this.#options = options
  }

  /** Returns the handler of a form. */
  targetOf(formId: string | null): string | undefined {
    return this.#options.targets.of(formId)
  }

  /**
   * Returns the usual cause of a response status other than 2xx, or that no handler gets the delivery although others have one; null
   * without. `isRetried`: whether the delivery is sent again.
   */
  adviceOn(
    formId: string | null,
    forwarded: Forwarded | undefined,
    status: number,
    isRetried = true,
  ): string | null {
    const { targets, secretOrigin } = this.#options
    if (forwarded?.reached) return statusAdvice(status, secretOrigin, isRetried) ?? null
    if (targets.none || targets.of(formId) !== undefined) return null
    return `no handler is set for form ${formId}: add --forward-to ${formId}=URL, or one for all forms`
  }

  /**
   * Sends the same bytes with the headers of the delivery to the handler of the form and resolves to its response, within the 10
   * seconds of the service (DLV-05); undefined if the form has no handler.
   */
  async send(delivery: RawDelivery, formId: string | null): Promise<Forwarded | undefined> {
    const { targets, clock, starting } = this.#options
    const target = targets.of(formId)
    if (target === undefined) return undefined
    const deadline = clock.now() + LIMITS.deliveryTimeoutMs
    for (;;) {
      const forwarded = await this.#attempt(delivery, target, Math.max(1, deadline - clock.now()))
      if (forwarded.reached) this.#reached = true
      const mayStart = !this.#reached && !forwarded.reached && forwarded.code === 'ECONNREFUSED' && starting()
      if (!mayStart || deadline - clock.now() <= START_RETRY_MS) return forwarded
      await clock.sleep(START_RETRY_MS)
    }
  }

  async #attempt({ rawHeaders, body }: RawDelivery, target: string, timeoutMs: number): Promise<Forwarded> {
    const { headers, insecure, signWith, clock } = this.#options
    const original = forwardedHeaders(rawHeaders)
    return await forward(
      {
        url: target,
        headers: {
          ...headers,
          ...(signWith === undefined ? original : signedAgain(original, rawHeaders, body, signWith)),
        },
        body,
        timeoutMs,
        insecure,
      },
      () => clock.now(),
    )
  }
}

/** Returns the headers with a signature by `secret` of the same body and timestamp. */
function signedAgain(
  headers: Readonly<Record<string, string>>,
  rawHeaders: readonly string[],
  body: Buffer,
  secret: string,
): Record<string, string> {
  const timestamp = Number(headerValue(rawHeaders, DELIVERY_HEADERS.timestamp))
  const name =
    Object.keys(headers).find((one) => one.toLowerCase() === DELIVERY_HEADERS.signature) ??
    DELIVERY_HEADERS.signature
  return { ...headers, [name]: signatureHeader(secret, timestamp, body) }
}
