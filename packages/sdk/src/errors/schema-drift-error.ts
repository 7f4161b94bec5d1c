import { FormwireError, hasKind, type RequestFacts } from './formwire-error.ts'

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

/** Whether a value is a {@link SchemaDriftError}, from any copy of the package. */
export function isSchemaDriftError(value: unknown): value is SchemaDriftError {
  return hasKind(value, SchemaDriftError.kind)
}
