import type { Answer } from '@formwire/contract'

/** What every answer has, whatever the type of its question. */
interface AnyAnswer {
  question_id: string
  value: unknown
}

/** Answers by question id, without a generated type. */
export type AnswersById = Record<string, Answer | undefined>

/**
 * Returns the answers of a response by question id; `undefined` for a question that was skipped. The answers are those of
 * the response, not copies. For a response of `get`, `list` or `poll`, and for the `response` of a webhook event.
 *
 * `Form` is an interface that `formwire types` has generated: question ids are then checked, and each `value` has its type.
 * Nothing is validated at run time. The object has no prototype, so that ids such as `constructor` are safe to read.
 *
 * @example
 * import type { GuestFeedback } from './forms.ts'
 *
 * for await (const response of formwire.responses.poll(formId)) {
 *   const answers = answersOf<GuestFeedback>(response)
 *   console.log(answers.nps?.value) // number | undefined
 * }
 */
export function answersOf<
  Form extends { [Id in keyof Form]: AnyAnswer | undefined } = AnswersById,
>(response: { readonly answers: readonly { readonly question_id: string }[] }): Form {
  const answers = Object.create(null) as Record<string, unknown>
  for (const answer of response.answers) answers[answer.question_id] = answer
  return answers as Form
}

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
