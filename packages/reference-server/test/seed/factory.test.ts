import { QUESTION_TYPES } from '@formwire/contract'
import { answerValueSchemas } from '@formwire/contract/schemas'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filesAsDescribed, readQuestions, validateAnswers } from '../../src/domain/question/index.ts'
import { createSeedFactory } from '../../src/seed/factory.ts'
import { resolveInstant, spanBefore } from '../../src/seed/instant.ts'
import { parseSeed } from '../../src/seed/parse.ts'
import { choices, everyQuestion, makeQuestion } from '../../src/seed/questions.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

describe('createSeedFactory', () => {
  it('returns the same values for the same seed, in any order of factories', async () => {
    const [one, two, other] = await Promise.all([
      createSeedFactory(7),
      createSeedFactory(7),
      createSeedFactory(8),
    ])
    const form = one.form({ responses: 5, drafts: 1 })
    expect(other.form({ responses: 5, drafts: 1 })).not.toEqual(form)
    expect(two.form({ responses: 5, drafts: 1 })).toEqual(form)
  })

  it('generates a valid seed in one call', async () => {
    const make = await createSeedFactory()
    const seed = make.seed(make.form({ questions: everyQuestion(), responses: 20, drafts: 3 }), make.form())
    expect(parseSeed(seed)).toEqual(seed)
    expect(seed.workspaces[0]?.forms?.map((form) => form.responses?.length)).toEqual([23, 0])
    expect(seed.workspaces[0]?.keys?.map((key) => key.scope)).toEqual(['write', 'read'])
  })

  it('refuses unknown fields of a question and of its parts, with their path', () => {
    const options = [{ id: 'a', label: 'A', lable: 'A' }]
    expect(() => makeQuestion('dropdown', { options })).toThrow(
      'options[0].lable: Unknown field "lable"; did you mean "label"?',
    )
    expect(() => makeQuestion('nps', { show_if: { question_id: 'a', equal: 1 } as never })).toThrow(
      'show_if.equal: Unknown field "equal"; did you mean "equals"?',
    )
  })

  it.each(QUESTION_TYPES)('[RESP-07] generates a value for %s that the public form accepts', async (type) => {
    const make = await createSeedFactory(3)
    const question = makeQuestion(type)
    const read = readQuestions([question])
    if (!read.ok) throw new Error(read.refusal.message)
    for (let turn = 0; turn < 25; turn += 1) {
      const { value, question_id } = make.answer(question)
      expect(question_id).toBe(type)
      expect(answerValueSchemas[type].safeParse(value).error?.issues ?? []).toEqual([])
      const context = { draft: false, file: filesAsDescribed }
      expect(validateAnswers(read.value, [{ question_id, value }], context)).toMatchObject({
        ok: true,
        value: { answers: [{ question_id: type, type, value }] },
      })
    }
  })

  it.each([
    ['date', { min: '2031-02-27', max: '2031-03-02' }],
    ['date', { min: '9999-12-30' }],
    ['date', { max: '1999-12-31' }],
    ['time', { min: '06:30', max: '06:45' }],
    ['time', { min: '23:58' }],
    ['time', { max: '00:01' }],
    ['number', { min: 20 }],
    ['number', { max: -5 }],
    ['number', { min: 0.25, max: 0.75 }],
    ['slider', { min: -0.5, max: 0.5 }],
    ['multiple_choice', { min: 3, max: 3 }],
    ['multiple_choice', { max: 1 }],
    ['short_text', { min: 60 }],
    ['short_text', { max: 3 }],
    ['long_text', { min: 900, max: 901 }],
    ['file', { min: 2 }],
  ] as const)('[RESP-07] answers a %s within its bounds %j', async (type, bounds) => {
    const make = await createSeedFactory(3)
    const { min: _min, max: _max, ...unbounded } = makeQuestion(type)
    const question = { ...unbounded, ...bounds }
    const form = make.form({ questions: [question], responses: 25, drafts: 2 })
    expect(() => parseSeed(make.seed(form))).not.toThrow()
  })

  it('prefers values of the caller over generated ones', async () => {
    const make = await createSeedFactory()
    expect(make.person({ name: 'Ada' })).toMatchObject({
      name: 'Ada',
      email: expect.stringMatching(/@example\.com$/),
    })
    expect(make.answer(makeQuestion('nps'), 3)).toEqual({ question_id: 'nps', value: 3 })
    expect(make.response([makeQuestion('nps')], { email: 'a@example.com' }).email).toBe('a@example.com')
    expect(make.form({ responses: [{ answers: [] }] }).responses).toEqual([{ answers: [] }])
    expect(make.question('rating', { max: 10 })).toMatchObject({ type: 'rating', max: 10 })
  })

  it('derives ids from labels', () => {
    expect(choices('Twin', 'Double room', '  Über!')).toEqual([
      { id: 'twin', label: 'Twin' },
      { id: 'double_room', label: 'Double room' },
      { id: 'ber', label: '  Über!' },
    ])
  })
})

describe('seed instants', () => {
  it('parses spans before loading and ISO date-times in UTC', () => {
    expect(resolveInstant('-3d4h', NOW)).toBe(Date.parse('2026-11-18T08:00:00Z'))
    expect(resolveInstant('-90s', NOW)).toBe(NOW - 90_000)
    expect(resolveInstant('-0s', NOW)).toBe(NOW)
    expect(resolveInstant('2026-01-02T03:04:05.678Z', NOW)).toBe(Date.parse('2026-01-02T03:04:05.678Z'))
  })

  it.each([
    '',
    '-',
    '3d',
    '-3',
    '-4h3d',
    '2026-01-02',
    '2026-01-02T03:04:05',
    '2026-13-02T03:04:05Z',
    '-1.5h',
    '-99999999999999d',
    '-800000d',
  ])('rejects %j', (text) => {
    expect(resolveInstant(text, NOW)).toBeNaN()
  })

  it('formats spans that it can parse, to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (seconds) => {
        expect(resolveInstant(spanBefore(seconds * 1000), NOW)).toBe(NOW - seconds * 1000)
      }),
      { numRuns: Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 100) },
    )
  })
})
