import type { ErrorCode, Form, FormResponse, PageMeta } from '@formwire/contract'
import { ERROR_STATUS } from '@formwire/contract'
import { errorEnvelopeSchema, formSchema, listEnvelope, responseSchema } from '@formwire/contract/schemas'
import type * as z from 'zod'
import { RuleViolation } from './case.ts'
import type { Reply } from './probe.ts'

/** Fails the case unless the condition holds. */
export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new RuleViolation(message)
}

export function checkStatus(reply: Reply, status: number): Reply {
  check(reply.status === status, `${reply.line}, expected ${status}`)
  return reply
}

/** Parses the whole body by its schema. A failure contains the path of the first issue. */
export function checkShape<Schema extends z.ZodType>(reply: Reply, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(reply.json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new RuleViolation(
    `${reply.line}: ${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'does not match'}`,
  )
}

/** Expects one object of the documented shape, with status 200. */
export function checkItem<Schema extends z.ZodType>(reply: Reply, schema: Schema): z.output<Schema> {
  checkStatus(reply, 200)
  const data = (reply.json as { data?: unknown } | undefined)?.data
  check(data !== undefined && !Array.isArray(data), `${reply.line}: expected {"data": {...}}`)
  return checkShape({ ...reply, json: data }, schema)
}

/** Expects a documented error in its envelope, with its status. `details.field` must be `field` if it is present. */
export function checkError(reply: Reply, code: ErrorCode, field?: string): void {
  checkStatus(reply, ERROR_STATUS[code])
  const { error } = checkShape(reply, errorEnvelopeSchema)
  check(error.code === code, `${reply.line}, expected ${code}`)
  const named = error.details?.field
  if (field !== undefined && named !== undefined) {
    check(named === field, `${reply.line}: details.field is ${named}, expected ${field}`)
  }
}

const formListSchema = listEnvelope(formSchema)
const responseListSchema = listEnvelope(responseSchema)

export interface Page<Item> {
  data: Item[]
  meta: PageMeta
}

export const checkFormPage = (reply: Reply): Page<Form> =>
  checkShape(checkStatus(reply, 200), formListSchema) as Page<Form>

export const checkResponsePage = (reply: Reply): Page<FormResponse> =>
  checkShape(checkStatus(reply, 200), responseListSchema) as Page<FormResponse>

/** An id of the right length that no form has. */
export const ABSENT_FORM_ID = 'zzzzzzzzzzzz'
