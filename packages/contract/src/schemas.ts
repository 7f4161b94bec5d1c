/**
 * The wire types as zod schemas, for zod 3.25 or newer and zod 4, which both export this API as `zod/v4`. Objects are loose:
 * fields that are added later pass through (ENV-04). `test/schemas.test.ts` checks that these and the hand-written types match.
 */
import * as z from 'zod/v4'
import { type Answer, type AnswerOf, type KnownQuestionType, QUESTION_TYPES } from './answer.ts'
import { ERROR_STATUS, type ErrorCode } from './envelope.ts'
import { FORM_STATUSES, SETTABLE_FORM_STATUSES } from './form.ts'
import { LIMITS } from './limits.ts'
import { KEY_SCOPES, WORKSPACE_ROLES } from './me.ts'
import { RESPONSE_STATUSES } from './response.ts'
import { EVENT_TYPES } from './webhook.ts'

const UTC_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]00:?00)$/

/** An ISO 8601 timestamp in UTC; seconds to nanoseconds, `Z` or `+00:00` (ENV-05). */
export const timestampSchema = z
  .string()
  .regex(UTC_TIMESTAMP, 'expected an ISO 8601 timestamp in UTC')
  .refine((text) => !Number.isNaN(Date.parse(text)), 'expected a valid date')

/** A documented value, or any other non-empty string. */
const openEnum = (_documented: readonly string[]) => z.string().min(1)

const id = z.int().nonnegative()
const count = z.int().nonnegative()

/** `{"page", "per_page", "total"}` (ENV-02). */
export const pageMetaSchema = z.looseObject({
  page: z.int().min(1),
  per_page: z.int().min(1).max(LIMITS.perPageMax),
  total: count,
})

/** `{"data": item}` (ENV-01). */
export const itemEnvelope = <Item extends z.ZodType>(item: Item) => z.looseObject({ data: item })

/** `{"data": [item...], "meta": {...}}` (ENV-02). */
export const listEnvelope = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({ data: z.array(item), meta: pageMetaSchema })

/** `{"error": {...}}` (ENV-03). */
export const errorEnvelopeSchema = z.looseObject({
  error: z.looseObject({
    code: openEnum(Object.keys(ERROR_STATUS) as ErrorCode[]),
    message: z.string(),
    details: z.looseObject({ field: z.string().optional() }).optional(),
  }),
})

export const formSchema = z.looseObject({
  id: z.string().length(LIMITS.formIdLength),
  title: z.string(),
  status: openEnum(FORM_STATUSES),
  slug: z.string().min(1),
  url: z.string().min(1),
  published: z.boolean(),
  response_count: count,
  response_limit: z.int().nullable(),
  opens_at: timestampSchema.nullable(),
  closes_at: timestampSchema.nullable(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
})

/** Length in Unicode code points, not UTF-16 units (FORM-05). */
const codePoints = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** A form title set through the API: 1 to 200 Unicode code points (FORM-05). */
export const formTitleSchema = z
  .string()
  .refine((title) => title.length > 0, 'title needs at least 1 character')
  .refine((title) => codePoints(title) <= LIMITS.titleMaxCodePoints, 'title must be at most 200 characters')

/** Body of `PATCH /forms/{id}`. That at least one field is required is checked separately (FORM-11). */
export const formUpdateSchema = z.looseObject({
  status: z.enum(SETTABLE_FORM_STATUSES).optional(),
  title: formTitleSchema.optional(),
})

export const choiceValueSchema = z.looseObject({ ids: z.array(z.string()), other: z.string().nullable() })
export const uploadedFileSchema = z.looseObject({ id: z.string(), name: z.string(), size: count })
export const addressValueSchema = z.looseObject({
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  region: z.string(),
  postal: z.string(),
  country: z.string(),
})

const text = z.string()
const number = z.number()

/** Schema of `value` for each documented question type (RESP-07). */
export const answerValueSchemas = {
  short_text: text,
  long_text: text,
  email: text,
  url: text,
  phone: text,
  date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'expected YYYY-MM-DD'),
  time: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'expected HH:MM'),
  number,
  scale: number,
  rating: number,
  nps: number,
  slider: number,
  single_choice: choiceValueSchema,
  multiple_choice: choiceValueSchema,
  dropdown: choiceValueSchema,
  yes_no: choiceValueSchema,
  ranking: choiceValueSchema,
  grid_single: z.record(z.string(), z.string()),
  grid_multiple: z.record(z.string(), z.array(z.string())),
  file: z.array(uploadedFileSchema),
  signature: z.array(uploadedFileSchema),
  address: addressValueSchema,
} satisfies Record<KnownQuestionType, z.ZodType>

const answerFields = { question_id: z.string(), title: z.string(), text: z.string() }

/** Schema of an answer for each documented question type (RESP-07). */
export const knownAnswerSchemas = Object.fromEntries(
  QUESTION_TYPES.map((type) => [
    type,
    z.looseObject({ ...answerFields, type: z.literal(type), value: answerValueSchemas[type] }),
  ]),
) as unknown as { [Type in KnownQuestionType]: z.ZodType<AnswerOf<Type>> }

/** An answer of any type, without a check of its value. */
const anyAnswerSchema = z.looseObject({ ...answerFields, type: z.string().min(1), value: z.unknown() })

/** An answer of a type that was added later, with any value. */
export const unknownAnswerSchema = anyAnswerSchema.refine(
  ({ type }) => !Object.hasOwn(answerValueSchemas, type),
  {
    path: ['type'],
    error: 'expected a type that is not documented',
  },
)

/**
 * An answer of any type. A documented type must have its documented value (RESP-07); other types pass (ENV-04). A check
 * instead of a union, so that an error has the exact path inside `value`.
 */
export const answerSchema = anyAnswerSchema.check(({ value: answer, issues }) => {
  if (!Object.hasOwn(answerValueSchemas, answer.type)) return
  const result = answerValueSchemas[answer.type as KnownQuestionType].safeParse(answer.value)
  for (const issue of result.error?.issues ?? []) {
    issues.push({
      code: 'custom',
      message: issue.message,
      path: ['value', ...issue.path],
      input: answer.value,
    })
  }
}) as unknown as z.ZodType<Answer>

export const responseMetaSchema = z.looseObject({
  device: z.string().nullish(),
  browser: z.string().nullish(),
  os: z.string().nullish(),
  ref: z.string().nullish(),
  utm: z.record(z.string(), z.string()).nullish(),
})

export const responseSchema = z.looseObject({
  id: z.int().min(1),
  form_id: z.string().length(LIMITS.formIdLength),
  status: openEnum(RESPONSE_STATUSES),
  started_at: timestampSchema,
  submitted_at: timestampSchema.nullable(),
  duration_sec: count,
  email: z.string().nullable(),
  score: z.number().nullable(),
  max_score: z.number().nullable(),
  answers: z.array(answerSchema),
  meta: responseMetaSchema,
})

export const meSchema = z.looseObject({
  user: z.looseObject({ id, name: z.string(), email: z.string() }),
  workspace: z.looseObject({ id, name: z.string(), role: openEnum(WORKSPACE_ROLES) }),
  key: z.looseObject({ id, name: z.string(), prefix: z.string(), scope: openEnum(KEY_SCOPES) }),
})

export const webhookEndpointSchema = z.looseObject({
  id,
  url: z.string().max(LIMITS.webhookUrlMaxLength),
  active: z.boolean(),
  created_at: timestampSchema,
})

export const createdWebhookEndpointSchema = webhookEndpointSchema.extend({
  secret: z.string().regex(/^whsec_/, 'expected a secret that starts with whsec_'),
})

/** Body of `POST /forms/{id}/webhooks`. The server checks the address rules (HOOK-04). */
export const webhookCreateSchema = z.looseObject({ url: z.string() })

/** `{"id", "deleted": true}` */
export const deletedSchema = z.looseObject({ id, deleted: z.literal(true) })

/** JSON body of a delivery (DLV-03). */
export const webhookEventSchema = z.looseObject({
  event: openEnum(EVENT_TYPES),
  form: z.looseObject({ id: z.string(), title: z.string() }),
  response: z.looseObject({
    id,
    submitted_at: timestampSchema,
    answers: z.array(answerSchema),
    score: z.number().nullable(),
    max_score: z.number().nullable(),
    meta: responseMetaSchema,
  }),
})
