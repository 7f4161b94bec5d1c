import { describe, expect, expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import { checkedByCompiler } from '../../../test/support/checked-by-compiler.ts'
import * as examples from '../scripts/openapi/examples.ts'
import type {
  AppliedFault,
  ChoiceTally,
  FaultInForce,
  ReceiverState,
  SubmittedAnswer,
} from '../src/control.ts'
import {
  type AnswerValues,
  type CreatedWebhookEndpoint,
  type Deleted,
  type ErrorEnvelope,
  type Form,
  type FormResponse,
  type FormUpdate,
  type KnownQuestionType,
  type Me,
  type PageMeta,
  QUESTION_TYPES,
  type WebhookCreate,
  type WebhookEndpoint,
  type WebhookEvent,
} from '../src/index.ts'
import * as schemas from '../src/schemas.ts'
import type { Agree, Yes } from './agree.ts'

describe('schemas', () => {
  it('match the hand-written types', () => {
    checkedByCompiler()
    expectTypeOf<Agree<typeof schemas.formSchema, Form>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.formUpdateSchema, FormUpdate>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.responseSchema, FormResponse>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.meSchema, Me>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.webhookEndpointSchema, WebhookEndpoint>>().toEqualTypeOf<Yes>()
    expectTypeOf<
      Agree<typeof schemas.createdWebhookEndpointSchema, CreatedWebhookEndpoint>
    >().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.webhookCreateSchema, WebhookCreate>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.webhookEventSchema, WebhookEvent>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.deletedSchema, Deleted>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.pageMetaSchema, PageMeta>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.errorEnvelopeSchema, ErrorEnvelope>>().toEqualTypeOf<Yes>()
  })

  it('leave members of the control API readonly that are not changed', () => {
    checkedByCompiler()
    expectTypeOf<SubmittedAnswer>().toEqualTypeOf<Readonly<SubmittedAnswer>>()
    expectTypeOf<ChoiceTally>().toEqualTypeOf<Readonly<ChoiceTally>>()
    expectTypeOf<Pick<FaultInForce, 'id' | 'met'>>().toEqualTypeOf<{
      readonly id: number
      readonly met: number
    }>()
    expectTypeOf<Pick<AppliedFault | ReceiverState, 'id'>>().toEqualTypeOf<{ readonly id: number }>()
  })

  it('[RESP-07] match the value types of all 22 question types', () => {
    type Disagreeing = {
      [Type in KnownQuestionType]: Agree<
        (typeof schemas.answerValueSchemas)[Type],
        AnswerValues[Type]
      > extends Yes
        ? never
        : Type
    }[KnownQuestionType]
    expectTypeOf<Disagreeing>().toBeNever()
    expect(Object.keys(schemas.answerValueSchemas)).toEqual([...QUESTION_TYPES])
  })
})

const VALUES: AnswerValues = {
  short_text: 'Ada',
  long_text: 'Two\nlines',
  email: 'ada@example.com',
  url: 'https://example.com/',
  phone: '+1 555 123 4567',
  date: '2026-02-28',
  time: '09:05',
  number: -1.5,
  scale: 3,
  rating: 5,
  nps: 0,
  slider: 21,
  single_choice: { ids: ['a'], other: null },
  multiple_choice: { ids: ['a', 'b'], other: 'else' },
  dropdown: { ids: [], other: null },
  yes_no: { ids: ['yes'], other: null },
  ranking: { ids: ['b', 'a'], other: null },
  grid_single: { row: 'column' },
  grid_multiple: { row: ['one', 'two'] },
  file: [{ id: 'f1', name: 'a.pdf', size: 10 }],
  signature: [],
  address: { line1: '1 Road', line2: '', city: 'Town', region: '', postal: '123', country: 'Chile' },
}

const answerOf = (type: string, value: unknown) => ({ question_id: 'q', title: 'T', type, value, text: 't' })

/** Paths of all validation errors. */
const wrong = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map((issue) => issue.path.join('.')) ?? []

describe('answerSchema', () => {
  it.each(QUESTION_TYPES)(
    '[RESP-07] accepts a valid value of %s and reports the path of an invalid one',
    (type) => {
      const answer = answerOf(type, VALUES[type])
      expect(schemas.answerSchema.parse(answer)).toEqual(answer)
      expect(schemas.knownAnswerSchemas[type].parse(answer)).toEqual(answer)
      expect(wrong(schemas.answerSchema, answerOf(type, true))).toEqual(['value'])
      expect(wrong(schemas.answerSchema, answerOf(type, undefined))).toEqual(['value'])
    },
  )

  it('[RESP-07] reports the exact path inside a value', () => {
    expect(wrong(schemas.answerSchema, answerOf('ranking', { ids: ['a', 7], other: null }))).toEqual([
      'value.ids.1',
    ])
    expect(wrong(schemas.answerSchema, answerOf('grid_multiple', { row: 'one' }))).toEqual(['value.row'])
    expect(wrong(schemas.answerSchema, answerOf('file', [{ id: 'f', name: 'n' }]))).toEqual(['value.0.size'])
    const response = { ...examples.response, answers: [answerOf('nps', 1), answerOf('date', '28.2.2026')] }
    expect(wrong(schemas.responseSchema, response)).toEqual(['answers.1.value'])
  })

  it('[ENV-04] accepts any value of an unknown type and keeps unknown fields', () => {
    const answer = { ...answerOf('hologram', { beams: 3 }), extra: [1] }
    expect(schemas.answerSchema.parse(answer)).toEqual(answer)
    expect(schemas.unknownAnswerSchema.parse(answer)).toEqual(answer)
    expect(wrong(schemas.unknownAnswerSchema, answerOf('nps', 'x'))).toEqual(['type'])
    expect(wrong(schemas.answerSchema, answerOf('toString', 1))).toEqual([])
  })
})

describe('the other schemas', () => {
  it('[ENV-04] keep unknown fields at every depth', () => {
    const form = { ...examples.form, theme: { dark: true } }
    expect(schemas.formSchema.parse(form)).toEqual(form)
    const me = { ...examples.me, key: { ...examples.me.key, last_used_at: null } }
    expect(schemas.meSchema.parse(me)).toEqual(me)
    const failure = { error: { code: 'teapot', message: 'm', details: { field: 'f', hint: 1 }, doc: 'x' } }
    expect(schemas.errorEnvelopeSchema.parse(failure)).toEqual(failure)
  })

  it('[ENV-05] accept UTC timestamps with second to nanosecond precision and reject others', () => {
    const accepted = ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.123456789Z', '2026-11-21T09:30:00+00:00']
    const rejected = [
      '2026-11-21',
      '2026-11-21T09:30:00',
      '2026-11-21T09:30:00+01:00',
      '2026-13-41T09:30:00Z',
    ]
    for (const timestamp of accepted) expect(schemas.timestampSchema.safeParse(timestamp).success).toBe(true)
    for (const timestamp of rejected) expect(schemas.timestampSchema.safeParse(timestamp).success).toBe(false)
  })

  it('[FORM-05] count a title in Unicode code points', () => {
    expect(schemas.formTitleSchema.safeParse('😀'.repeat(200)).success).toBe(true)
    expect(schemas.formTitleSchema.safeParse('😀'.repeat(201)).success).toBe(false)
    expect(schemas.formTitleSchema.safeParse('').success).toBe(false)
  })

  it('[HOOK-04] count an endpoint URL in Unicode code points', () => {
    const url = (length: number) => `https://hooks.example.com/${'😀'.repeat(length - 26)}`
    expect(schemas.webhookEndpointSchema.safeParse({ ...examples.webhook, url: url(500) }).success).toBe(true)
    expect(wrong(schemas.webhookEndpointSchema, { ...examples.webhook, url: url(501) })).toEqual(['url'])
  })

  it('[RESP-05] accept a draft without submitted_at and report the path of an invalid field', () => {
    expect(schemas.responseSchema.safeParse(examples.draft).success).toBe(true)
    expect(wrong(schemas.responseSchema, { ...examples.response, duration_sec: 1.5 })).toEqual([
      'duration_sec',
    ])
    expect(wrong(schemas.formSchema, { ...examples.form, id: 'short' })).toEqual(['id'])
  })
})
