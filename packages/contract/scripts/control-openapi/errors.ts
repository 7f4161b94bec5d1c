import * as z from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { ERROR_STATUS } from '../../src/index.ts'
import { errorEnvelopeSchema } from '../../src/schemas.ts'
import { pascalCase } from '../openapi/about.ts'

const timeoutSchema = z.looseObject({
  error: z.looseObject({
    code: z.literal('timeout'),
    message: z.string(),
    details: z.looseObject({
      nearest: z.string().describe('What came closest and how it differs, as text of several lines.'),
    }),
  }),
})

const STATUS = { ...ERROR_STATUS, timeout: 408, conflict: 409 } as const
type Code = keyof typeof STATUS

const DESCRIPTIONS: Record<Code, string> = {
  bad_request: 'The request is malformed: invalid JSON, another content type, or a body that is too large.',
  unauthorized: 'The admin token is missing or wrong.',
  forbidden: 'The Host is not allowed, or the request comes from a page of another origin.',
  not_found: 'The object does not exist.',
  validation_failed: 'A field or a query parameter is invalid or unknown. `details.field` names it.',
  rate_limited: 'Too many clients are waiting at the same time.',
  server_error: 'An error inside the server.',
  timeout: 'Nothing matched in time.',
  conflict: 'The form has another `revision`.',
}

const responses = Object.fromEntries(
  Object.entries(DESCRIPTIONS).map(([code, description]) => [
    code,
    {
      id: pascalCase(code),
      description,
      content: { 'application/json': { schema: code === 'timeout' ? timeoutSchema : errorEnvelopeSchema } },
    } satisfies ZodOpenApiResponseObject,
  ]),
) as unknown as Record<Code, ZodOpenApiResponseObject>

/** The responses for some error codes, by status. */
export const errors = (...codes: Code[]): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(codes.map((code) => [STATUS[code], responses[code]]))
