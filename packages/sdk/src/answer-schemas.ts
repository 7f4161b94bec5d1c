/** The part of a Standard Schema (https://standardschema.dev) that is used; zod 3.24 and later have it. */
export interface AnswerSchema {
  readonly '~standard': {
    validate(value: unknown): SchemaResult | Promise<SchemaResult>
  }
}

/** Outcome of a validation. */
export interface SchemaResult {
  readonly issues?: readonly SchemaIssue[] | undefined
}

/** One place where a value does not fit. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Schemas of answers by question id, as `answersOf` returns them, by form id. */
export type AnswerSchemas = Readonly<Record<string, AnswerSchema>>
