import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ANSWER_DESCRIPTIONS, DESCRIPTIONS } from '../scripts/openapi/descriptions.ts'
import { type JsonSchema, openApiDocument } from '../scripts/openapi/document.ts'
import * as examples from '../scripts/openapi/examples.ts'
import { ERROR_STATUS, EVENT_TYPES, QUESTION_TYPES } from '../src/index.ts'
import * as schemas from '../src/schemas.ts'

const text = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
const document = JSON.parse(text) as ReturnType<typeof openApiDocument>
const components = document.components?.schemas as Record<string, JsonSchema>

type Operation = { operationId: string; responses: Record<string, { $ref?: string }>; security?: unknown[] }
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
    path,
    method,
    operation,
  })),
)

describe('openapi.json', () => {
  it('matches the schemas (after a change, run packages/contract/scripts/write-openapi.ts)', () => {
    expect(text).toBe(`${JSON.stringify(openApiDocument(), null, 2)}\n`)
  })

  it('has the documented routes and no others', () => {
    expect(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)).toEqual([
      'GET /me',
      'GET /forms',
      'GET /forms/{id}',
      'PATCH /forms/{id}',
      'GET /forms/{id}/responses',
      'GET /forms/{id}/responses/{response_id}',
      'DELETE /forms/{id}/responses/{response_id}',
      'GET /forms/{id}/webhooks',
      'POST /forms/{id}/webhooks',
      'DELETE /forms/{id}/webhooks/{webhook_id}',
    ])
    expect(document.openapi).toBe('3.1.0')
  })

  it('[ENV-03] documents every error with its status, and the general errors at every route', () => {
    const statuses = operations.map(({ operation }) => Object.keys(operation.responses))
    for (const status of Object.values(ERROR_STATUS)) expect(statuses.flat()).toContain(String(status))
    for (const ofRoute of statuses)
      expect(ofRoute).toEqual(expect.arrayContaining(['400', '401', '403', '422', '429', '500']))
    expect(Object.keys(document.components?.responses ?? {})).toHaveLength(8)
  })

  it('[ERR-01] documents 413 and 415 with code bad_request for requests with a body', () => {
    const statuses = operations
      .filter(({ operation }) => operation.responses['413'] || operation.responses['415'])
      .map(({ operation: { operationId, responses } }) => [operationId, responses['413'], responses['415']])
    const badRequest = { $ref: '#/components/responses/BadRequest' }
    expect(statuses).toEqual([
      ['updateForm', badRequest, badRequest],
      ['createWebhook', badRequest, badRequest],
    ])
  })

  it('[AUTH-01] requires a bearer key at every route', () => {
    expect(document.security).toEqual([{ apiKey: [] }])
    expect(operations.every(({ operation }) => operation.security === undefined)).toBe(true)
    expect(document.components?.securitySchemes?.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' })
  })

  it('[DLV-03] [DLV-04] describes both events with their four headers', () => {
    expect(Object.keys(document.webhooks ?? {})).toEqual([...EVENT_TYPES])
    for (const event of Object.values(document.webhooks ?? {})) {
      const parameters = (event as { post: { parameters: { name: string; required: boolean }[] } }).post
        .parameters
      expect(parameters.map(({ name, required }) => [name, required])).toEqual([
        ['X-Service-Event', true],
        ['X-Service-Delivery', true],
        ['X-Service-Timestamp', true],
        ['X-Service-Signature', true],
      ])
    }
  })

  it('[DLV-03] tells both events apart by a constant', () => {
    const bodies = Object.values(document.webhooks ?? {}).map(
      (item) => (item as { post: { requestBody: unknown } }).post.requestBody,
    )
    expect(bodies).toMatchObject([
      {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ResponseSubmittedEvent' } } },
      },
      { content: { 'application/json': { schema: { $ref: '#/components/schemas/TestPingEvent' } } } },
    ])
    expect(components.ResponseSubmittedEvent?.properties?.event).toMatchObject({
      const: 'response.submitted',
    })
    expect(components.TestPingEvent?.properties?.event).toMatchObject({ const: 'test.ping' })
  })

  it('has no schema with the name of a global of JavaScript, which it would hide in a generated client', () => {
    expect(Object.keys(components).filter((name) => name in globalThis)).toEqual([])
  })

  it('has an absolute server URL, and an example of every parameter', () => {
    expect(document.servers?.map(({ url }) => url)).toEqual(['/api/v1', 'http://127.0.0.1:8787/api/v1'])
    const items = [...Object.values(document.paths ?? {}), ...Object.values(document.webhooks ?? {})]
    const parameters = items.flatMap((item) =>
      Object.values(item as Record<string, { parameters?: { name: string; example?: unknown }[] }>).flatMap(
        (operation) => operation.parameters ?? [],
      ),
    )
    expect(parameters.length).toBeGreaterThan(20)
    expect(parameters.filter((one) => one.example === undefined)).toEqual([])
  })

  it('[RESP-07] has a schema for the answer of each of the 22 question types, and one for unknown types', () => {
    const answers = (components.Answer as unknown as { anyOf: { $ref: string }[] }).anyOf
    expect(answers).toHaveLength(23)
    const types = answers.map(
      ({ $ref }) => components[$ref.split('/').at(-1) as string]?.properties?.type?.const,
    )
    expect(types).toEqual([...QUESTION_TYPES, undefined])
  })

  it('[ENV-04] allows additional fields in every schema', () => {
    expect(text).not.toContain('"additionalProperties": false')
    expect(components.Form?.additionalProperties).toEqual({})
  })

  it('describes every field of every component', () => {
    for (const [name, component] of Object.entries(components)) {
      const described = name.endsWith('Answer') && name !== 'UnknownAnswer' && name !== 'Answer'
      const expected = described
        ? Object.keys(ANSWER_DESCRIPTIONS)
        : Object.keys(DESCRIPTIONS).flatMap((path) =>
            path.startsWith(`${name}.`) ? path.slice(name.length + 1) : [],
          )
      expect([name, fieldPaths(component).sort()]).toEqual([name, [...expected].sort()])
      expect([name, typeof component.description]).toEqual([name, 'string'])
    }
  })

  it('has examples that match their schemas', () => {
    const match = (schema: { parse(value: unknown): unknown }, example: unknown) =>
      expect(() => schema.parse(example)).not.toThrow()
    match(schemas.meSchema, examples.me)
    match(schemas.formSchema, examples.form)
    match(schemas.formSchema, examples.closedForm)
    match(schemas.responseSchema, examples.response)
    match(schemas.webhookEndpointSchema, examples.webhook)
    match(schemas.createdWebhookEndpointSchema, examples.createdWebhook)
    match(schemas.webhookEventSchema, examples.submittedEvent)
    match(schemas.webhookEventSchema, examples.pingEvent)
    for (const response of Object.values(document.components?.responses ?? {})) {
      const content = (response as { content: Record<string, { example: unknown }> }).content
      match(schemas.errorEnvelopeSchema, content['application/json']?.example)
    }
  })
})

/** Paths of the fields of a component: `user`, `user.id` … References are not followed. */
function fieldPaths(schema: JsonSchema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    `${prefix}${name}`,
    ...fieldPaths(field, `${prefix}${name}.`),
  ])
}
