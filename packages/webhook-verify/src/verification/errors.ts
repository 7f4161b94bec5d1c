import { errorJson, recognizeCopies } from '@formwire/internal/error-class'
import { helpUrlOf } from '@formwire/internal/help-page'
import { ERROR_CODES, type WebhookErrorCode } from './error-codes.ts'

/** Optional parts of an error. */
interface ErrorDetails {
  /** Replaces the code's general hint where the exact cause is known. */
  hint?: string | undefined
  /** An error that contains neither body nor secret, such as a socket error. */
  cause?: unknown
}

/**
 * Every error of this package, with a `code`, a `hint` about the likely cause and the `status` to respond with. It never
 * contains the secret, the body or the expected signature.
 * @example
 * if (error instanceof WebhookVerificationError) response.writeHead(error.status).end(error.code)
 */
export class WebhookVerificationError extends Error {
  // Set in the constructor: with an initialized field, the CommonJS build gives the class another name.
  override readonly name: 'WebhookVerificationError'
  /** The kind of failure. docs/how-to/troubleshooting.md explains all codes. */
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
  }

  /** URL of the page that explains the code. For the developer of the receiver, not for a response. */
  get helpUrl(): string {
    return helpUrlOf(this.code)
  }

  /** For a log: the message too. */
  toJSON(): Record<string, unknown> {
    return errorJson(this)
  }
}
recognizeCopies(WebhookVerificationError, 'WebhookVerificationError')
