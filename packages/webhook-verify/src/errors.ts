import { ERROR_CODES, type WebhookErrorCode } from './error-codes.ts'

/** What an error may add to its code and message. */
interface ErrorDetails {
  /** Replaces the code's general hint where the cause could be told exactly. */
  hint?: string
  /** Only an error that carries neither body nor secret, such as a socket error. */
  cause?: unknown
}

/** The same in every copy of this module: a process may load the ESM and the CommonJS build side by side. */
const BRAND = Symbol.for('@formwire/webhook-verify.error')

/**
 * The one error of this package: every refusal has a `code`, a `hint` at the likely mistake and the `status` to answer
 * with. It never carries the secret, the body or the signature that would have been right.
 */
export class WebhookVerificationError extends Error {
  // Set in the constructor: a field with a value makes the CommonJS build call the class by another name.
  override readonly name: 'WebhookVerificationError'
  /** What went wrong; the README has the table. */
  readonly code: WebhookErrorCode
  /** The likely mistake and what to do about it, for the developer of the receiver. */
  readonly hint: string
  /** HTTP status for the receiver's answer. */
  readonly status: number

  constructor(code: WebhookErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'WebhookVerificationError'
    this.code = code
    this.hint = details.hint ?? ERROR_CODES[code].hint
    this.status = ERROR_CODES[code].status
    Object.defineProperty(this, BRAND, { value: true })
  }

  /** `instanceof` holds across the package's entry points and builds. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A class of yours that extends this one inherits this method, and is to be found in the usual way.
    // biome-ignore-start lint/complexity/noThisInStatic: which class was asked about is the question
    if (!Object.hasOwn(this, Symbol.hasInstance)) {
      return Function.prototype[Symbol.hasInstance].call(this, value)
    }
    // biome-ignore-end lint/complexity/noThisInStatic: see above
    return typeof value === 'object' && value !== null && BRAND in value
  }
}
