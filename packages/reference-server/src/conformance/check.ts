import type { ErrorCode, Form, FormResponse, PageMeta } from '@formwire/contract'
import { ERROR_STATUS } from '@formwire/contract'
import { errorEnvelopeSchema, formSchema, listEnvelope, responseSchema } from '@formwire/contract/schemas'
import type * as z from 'zod'
import { Broken } from './case.ts'
import type { Seen } from './probe.ts'

/** Ends the case as broken unless the condition holds. */
export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Broken(message)
}

export function checkStatus(seen: Seen, status: number): Seen {
  check(seen.status === status, `${seen.line}, expected ${status}`)
  return seen
}

/** The whole body by its schema; the first thing wrong is named by its path. */
export function checkShape<Schema extends z.ZodType>(seen: Seen, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(seen.json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new Broken(
    `${seen.line}: ${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'does not fit'}`,
  )
}

/** One object of the documented shape, with status 200. */
export function checkItem<Schema extends z.ZodType>(seen: Seen, schema: Schema): z.output<Schema> {
  checkStatus(seen, 200)
  const data = (seen.json as { data?: unknown } | undefined)?.data
  check(data !== undefined && !Array.isArray(data), `${seen.line}: expected {"data": {...}}`)
  return checkShape({ ...seen, json: data }, schema)
}

/** A documented error in its envelope, with its status; `details.field`, where there is one, names `field`. */
export function checkError(seen: Seen, code: ErrorCode, field?: string): void {
  checkStatus(seen, ERROR_STATUS[code])
  const { error } = checkShape(seen, errorEnvelopeSchema)
  check(error.code === code, `${seen.line}, expected ${code}`)
  const named = error.details?.field
  if (field !== undefined && named !== undefined) {
    check(named === field, `${seen.line}: details.field is ${named}, expected ${field}`)
  }
}

const formListSchema = listEnvelope(formSchema)
const responseListSchema = listEnvelope(responseSchema)

export interface Page<Item> {
  data: Item[]
  meta: PageMeta
}

export const checkFormPage = (seen: Seen): Page<Form> =>
  checkShape(checkStatus(seen, 200), formListSchema) as Page<Form>

export const checkResponsePage = (seen: Seen): Page<FormResponse> =>
  checkShape(checkStatus(seen, 200), responseListSchema) as Page<FormResponse>

/** An id of the right length that no form has, as good as certainly. */
export const ABSENT_FORM_ID = 'zzzzzzzzzzzz'
