/**
 * Compares HTTP response bodies with the documented schemas. A separate entry point because it requires zod; a client with
 * `validate: 'warn' | 'throw'` loads it before its first request.
 */
import {
  createdWebhookEndpointSchema,
  deletedSchema,
  formSchema,
  itemEnvelope,
  listEnvelope,
  meSchema,
  responseSchema,
  webhookEndpointSchema,
} from '@formwire/contract/schemas'
import type { AnswerSchemas, SchemaIssue } from './answer-schemas.ts'
import { answersOf } from './answers-of.ts'
import type { SchemaDrift } from './errors/schema-drift-error.ts'
import { UsageError } from './errors/usage-error.ts'

const schemas = {
  me: meSchema,
  form: formSchema,
  response: responseSchema,
  webhookEndpoint: webhookEndpointSchema,
  createdWebhookEndpoint: createdWebhookEndpointSchema,
  deleted: deletedSchema,
}

/** Name of a documented schema. */
export type SchemaName = keyof typeof schemas

/**
 * Returns every place where an envelope differs from its documented schema, or, for responses, from the schema of their
 * form in `answerSchemas`. Empty without differences. Unknown fields, statuses and question types are not differences
 * (ENV-04). Values are omitted because they may be personal data.
 *
 * @throws UsageError for an answer schema that validates asynchronously.
 */
export function findDrift(
  name: SchemaName,
  shape: string,
  envelope: unknown,
  answerSchemas?: AnswerSchemas,
): SchemaDrift[] {
  const schema =
    shape === 'list'
      ? listEnvelope(schemas[name])
      : shape === 'short-list'
        ? itemEnvelope(schemas[name].array())
        : itemEnvelope(schemas[name])
  const result = schema.safeParse(envelope)
  const drift = (result.error?.issues ?? []).map(({ path, message }) => ({
    path: pathOf(path),
    expected: message,
  }))
  return answerSchemas && name === 'response' ? [...drift, ...answerDrift(answerSchemas, envelope)] : drift
}

/** Compares the answers of each response with the schema of its form. What is not a response is reported already. */
function answerDrift(answerSchemas: AnswerSchemas, envelope: unknown): SchemaDrift[] {
  const { data } = envelope as { data: unknown }
  const responses: [path: PropertyKey[], response: unknown][] = Array.isArray(data)
    ? data.map((response, index) => [['data', index], response])
    : [[['data'], data]]
  return responses.flatMap(([path, response]) => {
    const { success, data: known } = responseSchema.safeParse(response)
    if (!success || !Object.hasOwn(answerSchemas, known.form_id)) return []
    const result = answerSchemas[known.form_id]?.['~standard'].validate(answersOf(known))
    if (result instanceof Promise) {
      throw new UsageError(
        `The schema of form ${known.form_id} in "answerSchemas" must validate synchronously.`,
      )
    }
    const ids = known.answers.map((answer) => answer.question_id)
    return (result?.issues ?? []).map((issue) => driftOf([...path, 'answers'], ids, issue))
  })
}

/** Converts the path of an issue, which begins with a question id, to that of the answer in the body. */
function driftOf(path: PropertyKey[], ids: readonly string[], issue: SchemaIssue): SchemaDrift {
  const [id, ...rest] = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step))
  const at = ids.lastIndexOf(String(id))
  if (id === undefined) return { path: pathOf(path), expected: issue.message }
  if (at < 0) return { path: pathOf(path), expected: `an answer to question "${String(id)}"` }
  return { path: pathOf([...path, at, ...rest]), expected: issue.message }
}

function pathOf(path: PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step),
    '',
  )
}
