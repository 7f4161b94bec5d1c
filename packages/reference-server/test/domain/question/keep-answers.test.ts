import { describe, expect, it } from 'vitest'
import { filesAsDescribed } from '../../../src/domain/question/index.ts'
import { fileIdsOfKept, keepAnswers } from '../../../src/domain/question/validate-answers.ts'
import { questionsOf } from './helpers.ts'

const CV = { id: 'file_1', name: 'cv.pdf', size: 10 }
const SKETCH = { id: 'file_2', name: 'sketch.png', size: 20 }

const QUESTIONS = questionsOf(
  { id: 'pet', type: 'yes_no', title: 'Do you have a pet?' },
  { id: 'name', type: 'short_text', title: 'Name', show_if: { question_id: 'pet', equals: 'yes' } },
  { id: 'cv', type: 'file', title: 'CV' },
  { id: 'sign', type: 'signature', title: 'Signature' },
)

const keep = (...given: [id: string, value: unknown][]) =>
  keepAnswers(
    QUESTIONS,
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
    expect(fileIdsOfKept(QUESTIONS, kept)).toEqual(['file_1', 'file_2'])
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
