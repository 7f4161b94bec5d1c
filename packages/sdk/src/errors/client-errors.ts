import { isOneRow } from '@formwire/internal/fitting-pages'
import { FormwireError, guardOf, type RequestFacts } from './formwire-error.ts'

/** Invalid use of the SDK, such as a missing key, a base URL that is not https, or an empty id. Nothing was sent. */
export class UsageError extends FormwireError<
  RequestFacts & { idAfter?: string | undefined; problem?: string | undefined }
> {
  static override readonly kind: string = 'UsageError'
  declare readonly name: 'UsageError'

  /** For an invalid id, the path before it, such as `/forms/`. */
  declare readonly idAfter: string | undefined
  /** For an invalid id, what is wrong with it, as in "must be valid Unicode, …". */
  declare readonly problem: string | undefined
}

/** Whether a value is a {@link UsageError}, from any copy of the package. @function */
export const isUsageError = /* @__PURE__ */ guardOf(UsageError)

/** The caller's `signal` aborted the call. `cause` is the reason of the signal. A write in flight may have taken effect. */
export class AbortError extends FormwireError {
  static override readonly kind: string = 'AbortError'
  declare readonly name: 'AbortError'
}

/** Whether a value is an {@link AbortError}, from any copy of the package. @function */
export const isAbortError = /* @__PURE__ */ guardOf(AbortError)

/** The response was not complete before the deadline of the attempt or of the call. */
export class TimeoutError extends FormwireError<
  RequestFacts & { timeoutMs: number; scope: 'attempt' | 'total' }
> {
  static override readonly kind: string = 'TimeoutError'
  declare readonly name: 'TimeoutError'

  /** The limit that was exceeded, in milliseconds. */
  declare readonly timeoutMs: number
  /** `attempt` for `timeoutMs`, `total` for `totalTimeoutMs`. */
  declare readonly scope: 'attempt' | 'total'
}

/** Whether a value is a {@link TimeoutError}, from any copy of the package. @function */
export const isTimeoutError = /* @__PURE__ */ guardOf(TimeoutError)

/** The host could not be reached, or the connection was lost before the response was complete. `cause` is the system error. */
export class ConnectionError extends FormwireError<
  RequestFacts & { maybeSent: boolean; systemCode?: string | undefined }
> {
  static override readonly kind: string = 'ConnectionError'
  declare readonly name: 'ConnectionError'

  /** Whether the request may have reached the service. `false` if no connection was established. */
  declare readonly maybeSent: boolean
  /** System error code, such as `ECONNREFUSED`, if known. */
  declare readonly systemCode: string | undefined
}

/** Whether a value is a {@link ConnectionError}, from any copy of the package. @function */
export const isConnectionError = /* @__PURE__ */ guardOf(ConnectionError)

/** Successful status, but the body is not as documented: not JSON, truncated, or without the envelope. */
export class DecodeError extends FormwireError<
  RequestFacts & {
    status: number
    problem?: string | undefined
    requestId?: string | undefined
    contentType?: string | undefined
  }
> {
  static override readonly kind: string = 'DecodeError'
  declare readonly name: 'DecodeError'

  /** HTTP status. */
  declare readonly status: number
  /** `X-Request-Id` of the response, if present. */
  declare readonly requestId: string | undefined
  /** `Content-Type` of the response, if present. */
  declare readonly contentType: string | undefined

  /** What is wrong with the response, as in "the body is empty". */
  declare readonly problem: string | undefined
}

/** Whether a value is a {@link DecodeError}, from any copy of the package. @function */
export const isDecodeError = /* @__PURE__ */ guardOf(DecodeError)

/** The response body exceeds `maxResponseBytes`, or 4,000,000 values. The request is not retried. */
export class ResponseTooLargeError extends FormwireError {
  static override readonly kind: string = 'ResponseTooLargeError'
  declare readonly name: 'ResponseTooLargeError'

  /** The limit, in bytes after decompression. `undefined` if the body has too many values. */
  declare readonly maxResponseBytes: number | undefined

  constructor(facts: RequestFacts & { maxResponseBytes?: number | undefined }) {
    const { maxResponseBytes, path } = facts
    const where = facts.method ? `${facts.method} ${path}: ` : ''
    // One response of a form is never shorter.
    const isList = /^\/forms(\/[^/]+\/responses)?(\?|$)/.test(path as string) && !isOneRow(path)
    const limit = maxResponseBytes
      ? `maxResponseBytes (${maxResponseBytes}) after decompression; raise it${isList ? ' or lower per_page' : ''}`
      : '4,000,000 values; lower per_page'
    super(`${where}response body exceeds ${limit}.`, facts)
  }
}

/** Whether a value is a {@link ResponseTooLargeError}, from any copy of the package. @function */
export const isResponseTooLargeError = /* @__PURE__ */ guardOf(ResponseTooLargeError)

/** One place where a response differs from its documented schema. */
export interface SchemaDrift {
  /** Path from the root of the body, such as `data[3].answers[0].value`. */
  path: string
  /** What was expected. Never the actual value, which may be personal data. */
  expected: string
}

/** With `validate: 'throw'`: a response differs from its documented schema. Unknown fields are not a difference (ENV-04). */
export class SchemaDriftError extends FormwireError<RequestFacts & { drift: readonly SchemaDrift[] }> {
  static override readonly kind: string = 'SchemaDriftError'
  declare readonly name: 'SchemaDriftError'

  /** Every difference. */
  declare readonly drift: readonly SchemaDrift[]
}

/** Whether a value is a {@link SchemaDriftError}, from any copy of the package. @function */
export const isSchemaDriftError = /* @__PURE__ */ guardOf(SchemaDriftError)

/** A list ignores `page` or never ends, or a page has no next page. */
export class PaginationError extends FormwireError {
  static override readonly kind: string = 'PaginationError'
  declare readonly name: 'PaginationError'
}

/** Whether a value is a {@link PaginationError}, from any copy of the package. @function */
export const isPaginationError = /* @__PURE__ */ guardOf(PaginationError)

/**
 * The response to a `POST` was lost. The service may have processed it, so the SDK does not retry. The message explains how to find
 * out. `cause` is the underlying error.
 */
export class OutcomeUnknownError extends FormwireError {
  static override readonly kind: string = 'OutcomeUnknownError'
  declare readonly name: 'OutcomeUnknownError'
}

/** Whether a value is an {@link OutcomeUnknownError}, from any copy of the package. @function */
export const isOutcomeUnknownError = /* @__PURE__ */ guardOf(OutcomeUnknownError)

/** A checkpoint cannot be read, saved or locked: unknown version, damaged state, too many ids at one instant, store failure. */
export class CheckpointError extends FormwireError<
  RequestFacts & { reason?: 'unavailable' | 'locked' | undefined; holder?: string | undefined }
> {
  static override readonly kind: string = 'CheckpointError'
  declare readonly name: 'CheckpointError'

  /**
   * `unavailable`: the store is unreachable; a poll waits and retries. `locked`: another poller uses the checkpoint. Otherwise
   * `undefined`: a retry fails as well.
   */
  declare readonly reason: 'unavailable' | 'locked' | undefined

  /** Who uses a locked checkpoint, such as `process 42 on host`, if that is known. */
  declare readonly holder: string | undefined
}

/** Whether a value is a {@link CheckpointError}, from any copy of the package. @function */
export const isCheckpointError = /* @__PURE__ */ guardOf(CheckpointError)

/** Another poller took over the checkpoint, so the state was not saved. */
export class LeaseLostError extends FormwireError {
  static override readonly kind: string = 'LeaseLostError'
  declare readonly name: 'LeaseLostError'
}

/** Whether a value is a {@link LeaseLostError}, from any copy of the package. @function */
export const isLeaseLostError = /* @__PURE__ */ guardOf(LeaseLostError)
