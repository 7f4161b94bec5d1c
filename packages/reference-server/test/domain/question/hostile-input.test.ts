import { answerSchema } from '@formwire/contract/schemas'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../../test/support/any-character.ts'
import {
  keepAnswers,
  readAnswers,
  readQuestions,
  validateAnswers,
} from '../../../src/domain/question/index.ts'
import { everyQuestion } from '../../../src/seed/questions.ts'
import { questionsOf } from './helpers.ts'

const numRuns = Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 300)

const OWN_WORDS = [
  ...['__proto__', 'constructor', 'ids', 'other', 'value', 'question_id', 'type', 'title', 'options'],
  ...['show_if', 'equals', 'min', 'max', 'points', 'rows', 'columns', 'line1', 'yes', 'single_choice'],
  ...['grid_single', 'file', 'rating', 'a@b.co', '2026-02-29', '\u0000', '\ud800', ''],
]
const word = fc.oneof(fc.constantFrom(...OWN_WORDS), fc.string({ unit: anyCharacter }))
/** Anything that JSON can say, in the vocabulary of the forms; 1e999 reads as Infinity. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    fc.oneof(fc.integer(), fc.double(), fc.constantFrom(-0, Number.POSITIVE_INFINITY, 5)),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(word, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value

const all = questionsOf(...everyQuestion())
const questionId = fc.oneof(fc.constantFrom(...all.map(({ id }) => id)), word)
const answers = fc.array(fc.record({ question_id: questionId, value: json }), { maxLength: 12 })
const context = { file: () => undefined }

describe('hostile input', () => {
  it('[ERR-04] accepts or refuses answers of any shape without throwing', () => {
    fc.assert(
      fc.property(answers, fc.boolean(), (submitted, draft) => {
        const result = validateAnswers(all, submitted, { ...context, draft })
        if (!result.ok) {
          for (const { field, message } of result.refusal) {
            expect(all.map(({ id }) => id)).toContain(field)
            expect(message).toMatch(/^[A-Z].*\.$/s)
          }
          return
        }
        for (const answer of result.value.answers) {
          expect(answerSchema.safeParse(answer).success).toBe(true)
          expect(JSON.parse(JSON.stringify(answer))).toEqual(answer)
        }
      }),
      { numRuns },
    )
  })

  it('[ERR-04] reads or refuses bodies of any shape with a path', () => {
    fc.assert(
      fc.property(json, (input) => {
        const read = readAnswers(input)
        if (!read.ok) expect(read.refusal.field).toMatch(/^answers(\[\d+\](\.question_id)?)?$/)
      }),
      { numRuns },
    )
  })

  it('[RESP-09] accepts the answers that a draft keeps unchanged', () => {
    fc.assert(
      fc.property(answers, (submitted) => {
        const kept = keepAnswers(all, submitted, { ...context, draft: true })
        expect(validateAnswers(all, kept, { ...context, draft: true }).ok).toBe(true)
        expect(keepAnswers(all, kept, { ...context, draft: true })).toEqual(kept)
      }),
      { numRuns },
    )
  })

  it('[ERR-04] reads or refuses definitions of any shape with a path, and reads its own result unchanged', () => {
    const definition = fc.oneof(
      json,
      fc
        .tuple(fc.constantFrom(...everyQuestion()), fc.dictionary(word, json, { maxKeys: 3 }))
        .map(([good, noise]) => ({ ...good, ...noise })),
    )
    fc.assert(
      fc.property(fc.array(definition, { maxLength: 5 }), (input) => {
        const read = readQuestions(input)
        if (!read.ok) expect(read.refusal.field).toMatch(/^questions/)
        else expect(readQuestions(read.value)).toEqual(read)
      }),
      { numRuns },
    )
  })

  it('[ERR-04] never pollutes a prototype', () => {
    readQuestions(JSON.parse('[{"__proto__":{"polluted":1},"id":"__proto__","type":"date","title":"x"}]'))
    validateAnswers(all, JSON.parse('[{"question_id":"__proto__","value":{"__proto__":{"polluted":1}}}]'), {
      ...context,
      draft: false,
    })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
