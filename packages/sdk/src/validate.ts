/**
 * Compares answers with the documented shapes; behind its own door since it needs zod. `validate: 'warn' | 'throw'` of a client
 * loads it when the first answer comes.
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

/** The documented shapes of data. */
export type SchemaName = keyof typeof schemas

/**
 * Every place where an envelope differs from the documented shape; empty when it does not. Unknown fields, states and question
 * types are no difference (ENV-04). Values are left out: they may be personal.
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
