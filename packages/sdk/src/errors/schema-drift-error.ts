import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

/** One place where an answer differs from the documented shape. */
export interface SchemaDrift {
  /** Where, from the top of the answer: `data[3].answers[0].value`. */
  path: string
  /** What was expected. Never the value that was found: it may be personal. */
  expected: string
}

/** With `validate: 'throw'`: an answer differs from the documented shape. Unknown fields are no difference (ENV-04). */
export class SchemaDriftError extends FormwireError {
  static override readonly kind: string = 'SchemaDriftError'

  /** Every place that differs. */
  declare readonly drift: readonly SchemaDrift[]

  constructor(message: string, facts: RequestFacts & { drift: readonly SchemaDrift[] }) {
    super(message, facts)
  }
}

/** Whether a value is a {@link SchemaDriftError}, from any copy of the package. */
export function isSchemaDriftError(value: unknown): value is SchemaDriftError {
  return hasKind(value, SchemaDriftError.kind)
}
