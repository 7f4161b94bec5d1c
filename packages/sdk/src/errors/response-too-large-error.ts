import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** The response body exceeds `maxResponseBytes`. The connection is closed and the request is not retried. */
export class ResponseTooLargeError extends FormwireError {
  static override readonly kind: string = 'ResponseTooLargeError'
  declare readonly name: 'ResponseTooLargeError'

  /** The limit, in bytes after decompression. */
  declare readonly maxResponseBytes: number

  constructor(facts: RequestFacts & { maxResponseBytes: number }) {
    const where = facts.method ? `${facts.method} ${facts.path}: ` : ''
    super(
      `${where}response body exceeds maxResponseBytes (${facts.maxResponseBytes}) after decompression; raise it or lower per_page.`,
      facts,
    )
  }
}

/** Whether a value is a {@link ResponseTooLargeError}, from any copy of the package. */
export function isResponseTooLargeError(value: unknown): value is ResponseTooLargeError {
  return hasKind(value, ResponseTooLargeError.kind)
}
