import { type Answer, type FormResponse, type KnownQuestionType, QUESTION_TYPES } from '@formwire/contract'
import fc from 'fast-check'
import { anyCharacter } from '../../../../test/support/any-character.ts'
import { ALL_HOSTILE_TEXTS } from '../../../../test/support/hostile-texts.ts'
import { type FormModel, QuestionTally } from '../../src/types/model.ts'

/** A form and its responses, newest first. */
export interface RandomForm {
  title: string
  responses: Pick<FormResponse, 'answers'>[]
}

/** Long enough for titles that a docstring cuts. */
const MAX_LENGTH = 300

const hostileText = fc.oneof(
  fc.constantFrom('', ...new Set(ALL_HOSTILE_TEXTS.map((text) => text.slice(0, MAX_LENGTH)))),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.stringMatching(/^[a-z_]{1,8}$/),
)

const ids = fc.uniqueArray(hostileText, { maxLength: 5 })
const choice = fc.record({ ids, other: fc.option(hostileText) })
const files = fc.array(fc.record({ id: hostileText, name: hostileText, size: fc.nat() }), { maxLength: 2 })
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
const two = (max: number) => fc.integer({ min: 1, max }).map((value) => String(value).padStart(2, '0'))

const VALUES: Readonly<Record<KnownQuestionType, fc.Arbitrary<unknown>>> = {
  short_text: hostileText,
  long_text: hostileText,
  email: hostileText,
  url: hostileText,
  phone: hostileText,
  date: fc.tuple(two(12), two(28)).map(([month, day]) => `2026-${month}-${day}`),
  time: fc.tuple(two(23), two(59)).map((parts) => parts.join(':')),
  number,
  scale: number,
  rating: number,
  nps: number,
  slider: number,
  single_choice: choice,
  multiple_choice: choice,
  dropdown: choice,
  yes_no: choice,
  ranking: choice,
  grid_single: fc.dictionary(hostileText, hostileText, { maxKeys: 4 }),
  grid_multiple: fc.dictionary(hostileText, ids, { maxKeys: 4 }),
  file: files,
  signature: files,
  address: fc.record({
    line1: hostileText,
    line2: hostileText,
    city: hostileText,
    region: hostileText,
    postal: hostileText,
    country: hostileText,
  }),
}

/** An answer without its question: of a documented type with its value, of one with another value, or of another type. */
const answer = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .constantFrom(...QUESTION_TYPES)
      .chain((type) => fc.record({ type: fc.constant<string>(type), value: VALUES[type] })),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constantFrom<string>(...QUESTION_TYPES), value: fc.jsonValue() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.oneof(hostileText, fc.constantFrom('matrix_single', 'net_promoter_score')),
      value: fc.oneof(fc.jsonValue({ maxDepth: 8 }), ...Object.values(VALUES)),
    }),
  },
)

/** Each question has one or two types; a response answers some of the questions, in order. */
export const randomForm: fc.Arbitrary<RandomForm> = fc
  .record({
    title: hostileText,
    questions: fc.uniqueArray(fc.record({ id: hostileText, title: hostileText }), {
      selector: ({ id }) => id,
      maxLength: 8,
    }),
  })
  .chain(({ title, questions }) => {
    const skipped = { arbitrary: fc.constant(undefined), weight: 1 }
    const rows = questions.map(({ id, title: question }) => {
      const given = answer.map((one) => ({ question_id: id, title: question, text: '', ...one }) as Answer)
      return fc.oneof({ arbitrary: given, weight: 3 }, skipped)
    })
    const response = fc
      .tuple(...rows)
      .map((answers) => ({ answers: answers.filter((one) => one !== undefined) }))
    return fc.record({
      title: fc.constant(title),
      responses: fc.array(response, { minLength: 1, maxLength: 4 }),
    })
  })

/** Infers the model of a form. */
export function modelOf({ title, responses }: RandomForm, id = 'abcdefghijkl'): FormModel {
  const tally = new QuestionTally()
  for (const response of responses) tally.add(response)
  return {
    id,
    title,
    responses: tally.responses,
    isSample: false,
    isExact: false,
    questions: tally.questions(),
  }
}
