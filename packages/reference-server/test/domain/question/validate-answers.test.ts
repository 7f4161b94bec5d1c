import { describe, expect, it } from 'vitest'
import {
  filesAsDescribed,
  type Question,
  readAnswers,
  validateAnswers,
} from '../../../src/domain/question/index.ts'
import { fileIdsOfKept, isShown, keepAnswers } from '../../../src/domain/question/validate-answers.ts'
import { questionOf, questionsOf, submit } from './helpers.ts'

const OPTIONS = [
  { id: 'a', label: 'Apple' },
  { id: 'b', label: 'Banana' },
]
const CV = { id: 'file_1', name: 'cv.pdf', size: 10 }
const ids = (result: ReturnType<typeof submit>): string[] =>
  result.ok
    ? result.value.answers.map((answer) => answer.question_id)
    : result.refusal.map((error) => `! ${error.field}`)

describe('validateAnswers', () => {
  const two = questionsOf(
    { id: 'first', type: 'short_text', title: 'First' },
    { id: 'second', type: 'number', title: 'Second' },
  )

  it('[RESP-06] returns answers in form order without skipped questions', () => {
    expect(ids(submit(two, { second: 1, first: 'x' }))).toEqual(['first', 'second'])
    expect(ids(submit(two, { second: 1, first: '' }))).toEqual(['second'])
    expect(ids(submit(two, { second: null }))).toEqual([])
  })

  it('[RESP-07] returns title, type, value and text of an answer', () => {
    expect(submit(two, { second: 3 })).toEqual({
      ok: true,
      value: {
        answers: [{ question_id: 'second', title: 'Second', type: 'number', value: 3, text: '3' }],
        fileIds: [],
        score: null,
        max_score: null,
      },
    })
  })

  it('[RESP-06] ignores answers to unknown questions', () => {
    expect(ids(submit(two, { nobody: { deep: [1] }, constructor: 'x', toString: 1, first: 'x' }))).toEqual([
      'first',
    ])
  })

  it('[RESP-06] refuses two answers to one question', () => {
    const answers = [
      { question_id: 'first', value: 'x' },
      { question_id: 'first', value: 'x' },
    ]
    const result = validateAnswers(two, answers, { draft: false, file: () => undefined })
    expect(result).toEqual({
      ok: false,
      refusal: [{ field: 'first', message: 'Answer the question only once.' }],
    })
  })

  it('[RESP-06] requires an answer to a required question, except in a draft', () => {
    const questions = questionsOf({ id: 'q', type: 'short_text', title: 'Q', required: true })
    const refusal = { ok: false, refusal: [{ field: 'q', message: 'Please answer this question.' }] }
    expect(submit(questions, {})).toEqual(refusal)
    expect(submit(questions, { q: ' ' })).toEqual(refusal)
    expect(submit(questions, { q: null })).toEqual(refusal)
    expect(ids(submit(questions, {}, { draft: true }))).toEqual([])
    expect(ids(submit(questions, { q: 5 }, { draft: true }))).toEqual(['! q'])
  })

  it('[ERR-03] reports every invalid answer in form order', () => {
    expect(ids(submit(two, { second: 'x', first: 5 }))).toEqual(['! first', '! second'])
  })
})

describe('logic', () => {
  const questions = questionsOf(
    { id: 'pet', type: 'yes_no', title: 'Pet?' },
    {
      id: 'kind',
      type: 'multiple_choice',
      title: 'Kind',
      options: OPTIONS,
      required: true,
      show_if: { question_id: 'pet', equals: 'yes' },
    },
    {
      id: 'name',
      type: 'short_text',
      title: 'Name',
      required: true,
      show_if: { question_id: 'kind', equals: 'b' },
    },
  )
  const yes = { ids: ['yes'], other: null }
  const no = { ids: ['no'], other: null }

  it('[RESP-06] ignores answers to hidden questions and does not require them', () => {
    expect(ids(submit(questions, { pet: no, kind: { ids: ['b'] }, name: 'Rex' }))).toEqual(['pet'])
    expect(ids(submit(questions, { pet: no, kind: 'nonsense', name: 5 }))).toEqual(['pet'])
    expect(ids(submit(questions, {}))).toEqual([])
  })

  it('[RESP-06] shows a question when its option is among the chosen ones', () => {
    expect(ids(submit(questions, { pet: yes, kind: { ids: ['a', 'b'] }, name: 'Rex' }))).toEqual([
      'pet',
      'kind',
      'name',
    ])
    expect(ids(submit(questions, { pet: yes, kind: { ids: ['a'] } }))).toEqual(['pet', 'kind'])
    expect(ids(submit(questions, { pet: yes, kind: { ids: ['b'] } }))).toEqual(['! name'])
  })

  it('[RESP-06] hides questions that depend on a hidden one', () => {
    expect(ids(submit(questions, { pet: no, kind: { ids: ['b'] } }))).toEqual(['pet'])
  })

  it.each([
    ['rating', 5, 5, true],
    ['rating', 5, 4, false],
    ['short_text', 'go', 'go', true],
    ['short_text', 'go', 'Go', false],
    ['grid_single', { a: 'b', b: 'a' }, { b: 'a', a: 'b' }, true],
    ['grid_single', { a: 'b' }, { a: 'b', b: 'a' }, false],
    ['grid_single', { a: 'b' }, { b: 'b' }, false],
    ['file', [CV], [{ size: 10, name: 'cv.pdf', id: 'file_1' }], true],
    ['file', [CV], [{ ...CV, size: 11 }], false],
    ['file', [CV], [CV, CV], false],
    ['file', [CV, CV], [CV], false],
    ['file', ['a', 'b'], ['b', 'a'], false],
    ['file', 'ab', ['a', 'b'], false],
    ['file', ['a', 'b'], 'ab', false],
    ['file', { 0: CV, length: 1 }, [CV], false],
  ] as const)(
    '[RESP-06] compares the whole value of other types: %s %j with %j',
    (type, equals, value, is) => {
      const question = { ...questionOf('short_text'), show_if: { question_id: 'q', equals } } as Question
      expect(isShown(question, questionOf(type), value)).toBe(is)
    },
  )
})

describe('scores', () => {
  const scored = questionsOf(
    { id: 'one', type: 'single_choice', title: 'One', options: OPTIONS, points: { a: 2, b: 5 } },
    { id: 'many', type: 'multiple_choice', title: 'Many', options: OPTIONS, points: { a: 1, b: -3 } },
    { id: 'plain', type: 'yes_no', title: 'Plain' },
  )
  const scores = (result: ReturnType<typeof submit>) =>
    result.ok && [result.value.score, result.value.max_score]

  it('[RESP-05] adds up the points of the chosen options and the maximum', () => {
    expect(scores(submit(scored, { one: { ids: ['a'] }, many: { ids: ['a', 'b'] } }))).toEqual([0, 6])
    expect(scores(submit(scored, { one: { ids: ['b'] }, many: { ids: ['a'] } }))).toEqual([6, 6])
    expect(scores(submit(scored, {}))).toEqual([0, 6])
  })

  it('[RESP-05] limits the maximum to the options that may be chosen', () => {
    const questions = questionsOf({
      type: 'multiple_choice',
      title: 'M',
      max: 2,
      points: { a: 1, b: 5, c: 3 },
      options: [...OPTIONS, { id: 'c', label: 'Cherry' }],
    })
    expect(scores(submit(questions, {}))).toEqual([0, 8])
  })

  it('[RESP-05] returns null for both when no question has points', () => {
    expect(
      scores(submit(questionsOf({ id: 'q', type: 'yes_no', title: 'Q' }), { q: { ids: ['yes'] } })),
    ).toEqual([null, null])
    const empty = questionsOf({ id: 'q', type: 'yes_no', title: 'Q', points: {} })
    expect(scores(submit(empty, { q: { ids: ['yes'] } }))).toEqual([null, null])
  })
})

describe('readAnswers', () => {
  it('[ERR-03] reports the path of the part that is invalid', () => {
    const field = (input: unknown) => {
      const read = readAnswers(input)
      return read.ok ? read.value.length : read.refusal.field
    }
    expect(field(undefined)).toBe(0)
    expect(field([])).toBe(0)
    expect(field([{ question_id: 'q' }])).toBe(1)
    expect(field(null)).toBe('answers')
    expect(field({})).toBe('answers')
    expect(field([{ question_id: 'q' }, null])).toBe('answers[1]')
    expect(field([[]])).toBe('answers[0]')
    expect(field([{ question_id: 1 }])).toBe('answers[0].question_id')
    expect(field([{}])).toBe('answers[0].question_id')
  })
})

const SKETCH = { id: 'file_2', name: 'sketch.png', size: 20 }

const WITH_FILES = questionsOf(
  { id: 'pet', type: 'yes_no', title: 'Do you have a pet?' },
  { id: 'name', type: 'short_text', title: 'Name', show_if: { question_id: 'pet', equals: 'yes' } },
  { id: 'cv', type: 'file', title: 'CV' },
  { id: 'sign', type: 'signature', title: 'Signature' },
)

const keep = (...given: [id: string, value: unknown][]) =>
  keepAnswers(
    WITH_FILES,
    given.map(([question_id, value]) => ({ question_id, value })),
    { draft: false, file: filesAsDescribed },
  )

describe('the answers of a draft', () => {
  it('[RESP-09] are kept in form order, also those to hidden questions', () => {
    expect(keep(['name', 'Rex'], ['pet', { ids: ['no'] }])).toEqual([
      { question_id: 'pet', value: { ids: ['no'], other: null } },
      { question_id: 'name', value: 'Rex' },
    ])
  })

  it('[RESP-09] are the first ones of several to a question', () => {
    expect(keep(['name', 'Rex'], ['name', 'Max'])).toEqual([{ question_id: 'name', value: 'Rex' }])
  })

  it('[RESP-09] lack those that are invalid, empty or to no question', () => {
    expect(keep(['name', 5], ['cv', null], ['pet', { ids: [] }], ['other', 'x'])).toEqual([])
    expect(keep(['name', '  '])).toEqual([])
  })

  it('[RESP-09] name the uploads that they claim', () => {
    const kept = keep(['cv', [CV]], ['sign', [SKETCH]], ['name', 'Rex'])
    expect(fileIdsOfKept(WITH_FILES, kept)).toEqual(['file_1', 'file_2'])
  })
})

describe('files as described', () => {
  it.each([
    ['an id that is a number', { ...CV, id: 1 }],
    ['an empty id', { ...CV, id: '' }],
    ['no name', { id: 'file_1', size: 10 }],
    ['a fraction of a byte', { ...CV, size: 1.5 }],
    ['a negative size', { ...CV, size: -1 }],
  ])('[RESP-07] are refused with %s', (_what, file) => {
    expect(filesAsDescribed('cv', file)).toBeUndefined()
  })

  it('[RESP-07] keep only id, name and size', () => {
    expect(filesAsDescribed('cv', { ...CV, size: 0, path: '/etc' })).toEqual({ ...CV, size: 0 })
  })
})
