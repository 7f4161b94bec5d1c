/**
 * Compares HTTP response bodies with the documented schemas. A separate entry point because it requires zod; a client with
 * `validate: 'warn' | 'throw'` loads it before its first request. An application that is bundled without its node_modules
 * imports it itself, for its side effect.
 *
 * @example import '@formwire/sdk/validate'
 */
import { UsageError } from './errors/usage-error.ts'
import { type FindDrift, registerValidation, type SchemaName } from './validation-registry.ts'

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

  return (name, shape, envelope) => {
    const schema =
      shape === 'list'
        ? listEnvelope(schemas[name])
        : shape === 'short-list'
          ? itemEnvelope(schemas[name].array())
          : itemEnvelope(schemas[name])
    const result = schema.safeParse(envelope)
    if (result.success) return []
    return result.error.issues.map((issue) => ({ path: pathOf(issue.path), expected: issue.message }))
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

function pathOf(path: PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step),
    '',
  )
}
