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
import type { SchemaDrift } from './errors/schema-drift-error.ts'

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
 * Returns every place where an envelope differs from its documented schema, or an empty array. Unknown fields, statuses and
 * question types are not differences (ENV-04). Values are omitted because they may be personal data.
 */
export function findDrift(name: SchemaName, shape: string, envelope: unknown): SchemaDrift[] {
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

function pathOf(path: PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${String(step)}` : String(step),
    '',
  )
}
