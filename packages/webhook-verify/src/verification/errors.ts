import { helpUrlOf } from '@formwire/internal/help-page'
import { isObjectOrArray } from '@formwire/internal/json'
import { ERROR_CODES, type WebhookErrorCode } from './error-codes.ts'

/** Optional parts of an error. */
interface ErrorDetails {
  /** Replaces the code's general hint where the exact cause is known. */
  hint?: string | undefined
  /** An error that contains neither body nor secret, such as a socket error. */
  cause?: unknown
}

/** The same in every copy of this module: a process may load the ESM and the CommonJS build side by side. */
const BRAND = Symbol.for('@formwire/webhook-verify.error')

/**
 * Every error of this package, with a `code`, a `hint` about the likely cause and the `status` to respond with. It never
 * contains the secret, the body or the expected signature.
 * @example
 * if (error instanceof WebhookVerificationError) response.writeHead(error.status).end(error.code)
 */
export class WebhookVerificationError extends Error {
  // Set in the constructor: with an initialized field, the CommonJS build gives the class another name.
  override readonly name: 'WebhookVerificationError'
  /** The kind of failure. The README lists all codes. */
  readonly code: WebhookErrorCode
  /** The likely cause and how to fix it, for the developer of the receiver. */
  readonly hint: string
  /** HTTP status to respond with. */
  readonly status: number

  constructor(code: WebhookErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'WebhookVerificationError'
    this.code = code
    this.hint = details.hint ?? ERROR_CODES[code].hint
    this.status = ERROR_CODES[code].status
    Object.defineProperty(this, BRAND, { value: true })
  }

  /** URL of the page that explains the code. For the developer of the receiver, not for a response. */
  get helpUrl(): string {
    return helpUrlOf(this.code)
  }

  /** Makes `instanceof` work across the package's entry points and builds. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass inherits this method, but is checked in the usual way.
    // biome-ignore-start lint/complexity/noThisInStatic: `this` is the class on the right of instanceof
    if (!Object.hasOwn(this, Symbol.hasInstance)) {
      return Function.prototype[Symbol.hasInstance].call(this, value)
    }
    // biome-ignore-end lint/complexity/noThisInStatic: see above
    return isObjectOrArray(value) && BRAND in value
  }
}
