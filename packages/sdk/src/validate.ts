/**
 * Compares HTTP response bodies with the documented schemas. A separate entry point because it requires zod; a client with
 * `validate: 'warn' | 'throw'` loads it before its first request. An application that is bundled without its node_modules
 * imports it itself, for its side effect.
 *
 * @example import '@formwire/sdk/validate'
 */
import { type AnswerSchemas, answersOf, type SchemaIssue } from './answers.ts'
import { type SchemaDrift, SchemaDriftError, UsageError } from './errors/client-errors.ts'
import { type FindDrift, registerValidation, type SchemaName } from './validation-registry.ts'

export type { FindDrift, SchemaName } from './validation-registry.ts'

registerValidation(loadValidation)

/** Loads zod and the schemas. @throws UsageError if zod is not installed, or older than 3.25. */
export async function loadValidation(): Promise<FindDrift> {
  const contract = await import('@formwire/contract/schemas').catch(unusableZod)
  const { itemEnvelope, listEnvelope } = contract
  const schemas = {
    me: contract.meSchema,
    form: contract.formSchema,
    response: contract.responseSchema,
    webhookEndpoint: contract.webhookEndpointSchema,
    createdWebhookEndpoint: contract.createdWebhookEndpointSchema,
    deleted: contract.deletedSchema,
  } satisfies Record<SchemaName, unknown>

  return (name, shape, envelope, request, answerSchemas) => {
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
    if (answerSchemas && name === 'response')
      drift.push(...answerDrift(contract.responseSchema, answerSchemas, envelope))
    if (drift.length === 0) return undefined
    const places = drift.map((one) => `${one.path} (${one.expected})`).join(', ')
    const message = `${request.method} ${request.path} differs from its documented schema at ${places}.`
    return new SchemaDriftError(message, { ...request, drift })
  }
}

function unusableZod(cause: unknown): never {
  const problem =
    (cause as { code?: unknown }).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
      ? 'but an older version is installed'
      : 'which could not be loaded'
  const help = 'install it with "npm install zod".'
  throw new UsageError(`"validate" requires zod 3.25 or newer, ${problem}; ${help}`, {}, { cause })
}

/** Compares the answers of each response with the schema of its form. What is not a response is reported already. */
function answerDrift(
  responseSchema: typeof import('@formwire/contract/schemas')['responseSchema'],
  answerSchemas: AnswerSchemas,
  envelope: unknown,
): SchemaDrift[] {
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
