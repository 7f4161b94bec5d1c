import type * as z from 'zod'
import * as control from '../../src/schemas/control.ts'
import * as api from '../../src/schemas.ts'

/** `apiKeySchema` → `ApiKey` */
type ComponentName<Schema> = Schema extends `${infer Name}Schema` ? Capitalize<Name> : never
const componentName = (name: string): string =>
  name.replace(/Schema$/, '').replace(/^./, (letter) => letter.toUpperCase())

const ofApi = {
  FormResponse: api.responseSchema,
  Answer: api.answerSchema,
  ResponseMeta: api.responseMetaSchema,
  WebhookEndpoint: api.webhookEndpointSchema,
  CreatedWebhookEndpoint: api.createdWebhookEndpointSchema,
  Deleted: api.deletedSchema,
  PageMeta: api.pageMetaSchema,
  ErrorBody: api.errorEnvelopeSchema,
  Timestamp: api.timestampSchema,
}

/** Name of a schema of the document. */
export type Name = ComponentName<keyof typeof control> | keyof typeof ofApi

/** The named schemas of the document, in their order there. */
export const schemas = Object.fromEntries([
  // A loader may list the exports of a module in any order.
  ...Object.entries(control)
    .map(([name, schema]): [string, z.ZodType] => [componentName(name), schema])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
  ...Object.entries(ofApi),
]) as Record<Name, z.ZodType>

export const schemaOf = (schema: Name | z.ZodType): z.ZodType =>
  typeof schema === 'string' ? schemas[schema] : schema
