import { createDocument } from 'zod-openapi'
import {
  API_ROOT,
  ERROR_STATUS,
  FORM_STATUSES,
  KEY_SCOPES,
  LIMITS,
  QUESTION_TYPES,
  RESPONSE_STATUSES,
  WORKSPACE_ROLES,
} from '../../src/index.ts'
import { CONTACT, liftParameterTexts, servers } from './about.ts'
import { answerComponentName, schemaComponents } from './components.ts'
import { ANSWER_DESCRIPTIONS, DESCRIPTIONS } from './descriptions.ts'
import { paths } from './paths.ts'
import { webhooks } from './webhooks.ts'

/** The part of a JSON Schema object that this file changes. */
export interface JsonSchema {
  [keyword: string]: unknown
  properties?: Record<string, JsonSchema>
}

export type Document = ReturnType<typeof createDocument>

/** Returns the OpenAPI 3.1 document of version 1, generated from the schemas. Deterministic. */
export function openApiDocument(): Document {
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Formwire',
      version: '1',
      description:
        'Read forms and responses, close and reopen forms, delete responses, manage webhook endpoints, and receive signed deliveries. Fields, values and endpoints can be added at any time; ignore those that you do not know.',
      contact: CONTACT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: servers(API_ROOT, 'The deployment that serves this document.'),
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Key', description: 'The key in use.' },
      { name: 'Forms', description: "The forms of the key's workspace." },
      { name: 'Responses', description: 'Submitted responses and saved drafts.' },
      { name: 'Webhooks', description: 'Endpoints that new responses are sent to.' },
      { name: 'Events', description: 'What is sent to webhook endpoints.' },
    ],
    paths,
    webhooks,
    components: {
      schemas: schemaComponents,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, `svc_…`. It belongs to one workspace. Never put it in a URL.',
        },
      },
    },
  })
  const components = document.components?.schemas as Record<string, JsonSchema>
  writeUnions(components)
  writeOpenEnums(components)
  writeLimits(components)
  writeDescriptions(components)
  liftParameterTexts(document.paths, document.webhooks)
  return JSON.parse(JSON.stringify(document)) as Document
}

/** The schema checks the value of an answer after its type. The document expresses this as a union. */
function writeUnions(components: Record<string, JsonSchema>): void {
  const names = [...QUESTION_TYPES.map(answerComponentName), 'UnknownAnswer']
  components.Answer = {
    description: 'An answer. The shape of `value` depends on `type`.',
    anyOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
  }
  for (const type of QUESTION_TYPES) {
    const answer = components[answerComponentName(type)] as JsonSchema
    answer.description = `An answer to a question of type \`${type}\`.`
    for (const [field, description] of Object.entries(ANSWER_DESCRIPTIONS))
      describe(answer, field, description)
  }
  const unknownType = components.UnknownAnswer?.properties?.type as JsonSchema
  unknownType.not = { enum: [...QUESTION_TYPES] }
}

/** Strings with documented values, to which others can be added. */
function writeOpenEnums(components: Record<string, JsonSchema>): void {
  const openEnums: [component: string, path: string, values: readonly string[]][] = [
    ['Form', 'status', FORM_STATUSES],
    ['FormResponse', 'status', RESPONSE_STATUSES],
    ['Me', 'workspace.role', WORKSPACE_ROLES],
    ['Me', 'key.scope', KEY_SCOPES],
    ['ErrorBody', 'error.code', Object.keys(ERROR_STATUS)],
  ]
  for (const [component, path, values] of openEnums) {
    const field = fieldOf(components[component] as JsonSchema, path)
    field['x-extensible-enum'] = [...values]
    field.examples = [...values]
  }
}

/** Adds the limits that the schemas check in code. */
function writeLimits(components: Record<string, JsonSchema>): void {
  Object.assign(fieldOf(components.FormUpdate as JsonSchema, 'title'), {
    minLength: 1,
    maxLength: LIMITS.titleMaxCodePoints,
  })
  Object.assign(components.FormUpdate as JsonSchema, { minProperties: 1 })
  Object.assign(components.Timestamp as JsonSchema, {
    format: 'date-time',
    description: 'ISO 8601 in UTC, with or without fractional seconds.',
    examples: ['2026-11-21T09:30:00.000Z'],
  })
}

function writeDescriptions(components: Record<string, JsonSchema>): void {
  for (const [path, text] of Object.entries(DESCRIPTIONS)) {
    const [component = '', ...field] = path.split('.')
    const schema = components[component]
    if (!schema)
      throw new Error(`descriptions.ts describes "${component}", which is not a component of the document`)
    if (field.length === 0) schema.description = text
    else describe(schema, field.join('.'), text)
  }
}

const describe = (schema: JsonSchema, path: string, text: string): void => {
  fieldOf(schema, path).description = text
}

/** Returns the field at a path such as `user.id`. */
function fieldOf(schema: JsonSchema, path: string): JsonSchema {
  let field: JsonSchema | undefined = schema
  for (const name of path.split('.')) field = field?.properties?.[name]
  if (!field) throw new Error(`the component has no field "${path}"`)
  return field
}
