import { errorJson, recognizeCopies } from '@formwire/internal/error-class'
import { helpUrlOf } from '@formwire/internal/help-page'

/** The meaning of a code, the status to respond with, and the usual cause. */
interface ErrorCodeEntry {
  /** HTTP status for the response. The service retries after any status other than 2xx (DLV-05). */
  readonly status: number
  /** When the code is used. */
  readonly meaning: string
  /** The likely cause and how to fix it. */
  readonly hint: string
}

/**
 * Every code of a {@link WebhookVerificationError}. A test keeps the meanings in docs/how-to/troubleshooting.md equal to these.
 * 4xx: the request cannot be trusted. 5xx: the receiver is misconfigured, and a retry may succeed.
 */
export const ERROR_CODES = {
  missing_header: {
    status: 400,
    meaning: 'The signature or the timestamp header is missing.',
    hint: 'Pass the headers of the original request. A proxy or gateway must forward every X-Service-* header.',
  },
  malformed_header: {
    status: 400,
    meaning:
      'A header is not in the format of the service: repeated, contains white space, uppercase hex, or not plain decimal seconds.',
    hint: 'Pass header values as received; do not trim, join, re-encode or convert them.',
  },
  timestamp_too_old: {
    status: 400,
    meaning: 'The attempt was signed longer ago than the tolerance.',
    hint: "The receiver's clock may be ahead (check NTP), the request may have waited in a queue, someone may be replaying a captured delivery, or a test advanced the server's clock: pass `now`. Verify on arrival, before queueing.",
  },
  timestamp_in_future: {
    status: 400,
    meaning: 'The attempt was signed further in the future than the tolerance.',
    hint: "The receiver's clock is probably behind: check NTP; or a test advanced the server's clock: pass `now`. Timestamps are Unix seconds, not milliseconds.",
  },
  no_match: {
    status: 401,
    meaning: 'The signature does not match any configured secret.',
    hint: 'Pass the raw bytes as received (not parsed and serialized again) and the secret of this endpoint, including whsec_. "New secret" in the app invalidates the old one immediately.',
  },
  event_mismatch: {
    status: 400,
    meaning: 'The event header, which is not signed, contradicts the signed body.',
    hint: 'A proxy between the service and the receiver changed X-Service-Event. Forward it unchanged or drop it; the type is read from the body.',
  },
  missing_body: {
    status: 500,
    meaning: 'There is no body to verify.',
    hint: 'Read the raw body first and pass it. In Express, request.body is undefined until a parser such as express.raw() has run.',
  },
  body_already_parsed: {
    status: 500,
    meaning: 'The body was already parsed or read; the signed bytes are gone.',
    hint: 'A JSON body parser runs before this route. Mount the webhook route before it, or keep the raw bytes (Buffer) for this route.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The body is larger than the limit.',
    hint: 'Raise maxBodyBytes (default 2.5 MiB) if your forms produce bodies of this size.',
  },
  body_read_failed: {
    status: 400,
    meaning: 'The connection closed before the whole body arrived.',
    hint: 'The sender gave up or a proxy cut the connection; the service retries.',
  },
  invalid_json: {
    status: 400,
    meaning: 'The signature is valid, but the body is not JSON.',
    hint: "The sender knows the secret but is not sending the service's payloads. Check which other programs sign with this secret.",
  },
  unexpected_payload: {
    status: 400,
    meaning: 'The signature is valid and the body is JSON, but not an event.',
    hint: "Either the sender knows the secret but is not sending the service's payloads, or this library is older than the event: update it.",
  },
  invalid_secret: {
    status: 500,
    meaning: 'The secret is missing, empty, blank or not a string.',
    hint: 'Check that the environment variable with the secret is set in this process. A secret starts with whsec_ and is shown once, when the endpoint is created. If a build loads the module without it, pass a function.',
  },
  invalid_option: {
    status: 500,
    meaning: 'An option other than the secret is unknown or has an invalid value.',
    hint: 'See the message for the option and its accepted values.',
  },
} as const satisfies Record<string, ErrorCodeEntry>

/** Code of a {@link WebhookVerificationError}. */
export type WebhookErrorCode = keyof typeof ERROR_CODES

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
