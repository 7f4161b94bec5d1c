import { QUESTION_TYPES } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { readQuestions } from '../../../src/domain/question/index.ts'
import { questionsOf } from './helpers.ts'

const OPTIONS = [{ id: 'a', label: 'A' }]
const choice = { type: 'single_choice', title: 'T', options: OPTIONS }

/** Path and message of the refusal. */
function faultOf(input: unknown): string {
  const read = readQuestions(input)
  return read.ok ? 'accepted' : `${read.refusal.field} ${read.refusal.message}`
}

describe('readQuestions', () => {
  it('[RESP-07] fills in defaults', () => {
    expect(
      questionsOf(
        { type: 'nps', title: 'N' },
        { type: 'rating', title: 'R' },
        { type: 'scale', title: 'S' },
        { type: 'slider', title: 'L' },
      ),
    ).toEqual([
      { id: 'q1', type: 'nps', title: 'N', required: false, min: 0, max: 10 },
      { id: 'q2', type: 'rating', title: 'R', required: false, min: 1, max: 5 },
      { id: 'q3', type: 'scale', title: 'S', required: false, min: 1, max: 10 },
      { id: 'q4', type: 'slider', title: 'L', required: false, min: 1, max: 10 },
    ])
    expect(questionsOf({ type: 'yes_no', title: 'Y', required: true })).toEqual([
      {
        id: 'q1',
        type: 'yes_no',
        title: 'Y',
        required: true,
        options: [
          { id: 'yes', label: 'Yes' },
          { id: 'no', label: 'No' },
        ],
      },
    ])
  })

  it('[RESP-07] refuses the hole of a sparse array with its path', () => {
    const options = [...OPTIONS, ...OPTIONS]
    delete options[1]
    expect(faultOf([{ ...choice, points: { a: 1 }, options }])).toBe(
      'questions[0].options[1] must be an object {"id", "label"}',
    )
  })

  it('[RESP-07] gives no default id that another question has', () => {
    expect(
      questionsOf({ type: 'date', title: 'A' }, { id: 'q1', type: 'date', title: 'B' }).map(({ id }) => id),
    ).toEqual(['q1_', 'q1'])
  })

  it('[ENV-09] ignores unknown fields and fields that the type does not use', () => {
    expect(
      questionsOf({
        id: 'x',
        type: 'email',
        title: 'E',
        options: OPTIONS,
        rows: 5,
        points: { z: 1 },
        colour: 'red',
        show_if: null,
        max: null,
      }),
    ).toEqual([{ id: 'x', type: 'email', title: 'E', required: false }])
  })

  const same = { ...choice, id: 'x' }
  it.each<[definitions: unknown, fault: string | RegExp]>([
    ['x', 'questions must be a list of questions'],
    [[null], 'questions[0] must be an object such as {"type": "short_text", "title": "…"}'],
    [
      [choice, { type: 'matrix', title: 'T' }],
      `questions[1].type must be one of ${QUESTION_TYPES.join(', ')}`,
    ],
    [[{ type: 'date' }], 'questions[0].title must be a string that is not blank'],
    [[{ type: 'date', title: 'T', required: 'yes' }], 'questions[0].required must be true or false'],
    [[same, same], 'questions[1].id "x" is the id of an earlier question'],
    [[{ ...choice, id: 5 }], /^questions\[0\]\.id must be a string/],
    [[{ ...choice, id: 'a[b]' }], 'questions[0].id must not contain brackets or control characters'],
    [[{ ...choice, id: '__proto__' }], /^questions\[0\]\.id must not be __proto__/],
    [[{ ...choice, id: 'x'.repeat(100) }], 'accepted'],
    [[{ ...choice, id: 'x'.repeat(101) }], 'questions[0].id must have at most 100 characters'],
    [[{ ...choice, options: [] }], /^questions\[0\]\.options must be a list/],
    [[{ ...choice, options: undefined }], /^questions\[0\]\.options must be a list/],
    [[{ ...choice, options: [...OPTIONS, ...OPTIONS] }], 'questions[0].options[1].id "a" appears twice'],
    [
      [{ ...choice, options: [{ id: 'a' }] }],
      'questions[0].options[0].label must be a string that is not blank',
    ],
    [[{ ...choice, options: ['a'] }], 'questions[0].options[0] must be an object {"id", "label"}'],
    [[{ ...choice, allow_other: 1 }], 'questions[0].allow_other must be true or false'],
    [[{ type: 'grid_single', title: 'T', rows: OPTIONS }], /^questions\[0\]\.columns must be a list/],
  ])('[RESP-07] refuses %j with the path of the error', (definitions, fault) => {
    expect(faultOf(definitions)).toEqual(typeof fault === 'string' ? fault : expect.stringMatching(fault))
  })

  it("[RESP-07] limits the length of the form's page", () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: `i${index}`, label: 'L' }))
    expect(faultOf([{ ...choice, options: list(5000) }])).toBe('accepted')
    expect(faultOf([{ ...choice, options: list(5001) }])).toBe(
      'questions[0].options must be a list of at most 5000',
    )
    const grid = { type: 'grid_multiple', title: 'T', rows: list(500), columns: list(100) }
    expect(faultOf([grid])).toBe('accepted')
    expect(faultOf([grid, grid])).toBe(
      'questions must produce a page of at most 8000000 characters, got about 13969802; use fewer questions, options, rows or columns, or shorter texts',
    )
    expect(faultOf(Array.from({ length: 1000 }, () => ({ type: 'date', title: 'D' })))).toBe('accepted')
    expect(faultOf(Array.from({ length: 1001 }, () => ({ type: 'date', title: 'D' })))).toBe(
      'questions must be a list of at most 1000, got 1001',
    )
    const controlling = { id: 'q', type: 'yes_no', title: 'T'.repeat(10_000) }
    const conditional = { type: 'date', title: 'D', show_if: { question_id: 'q', equals: 'yes' } }
    expect(faultOf([controlling, ...Array.from({ length: 900 }, () => conditional)])).toBe(
      'questions must produce a page of at most 8000000 characters, got about 9374272; use fewer questions, options, rows or columns, or shorter texts',
    )
    expect(faultOf([{ ...grid, rows: list(501) }])).toBe('questions[0].rows must be a list of at most 500')
    expect(faultOf([{ ...grid, columns: list(101) }])).toBe(
      'questions[0].columns must be a list of at most 100',
    )
  })

  it.each([
    [{ type: 'number', min: '1' }, 'questions[0].min must be a number'],
    [{ type: 'number', max: Number.POSITIVE_INFINITY }, 'questions[0].max must be a number'],
    [{ type: 'rating', max: 4.5 }, 'questions[0].max must be an integer'],
    [{ type: 'rating', min: 6 }, 'questions[0].min must not be above max, which is 5'],
    [{ type: 'short_text', max: -1 }, 'questions[0].max must be an integer of 0 or more'],
    [{ type: 'date', min: '2026-02-30' }, 'questions[0].min must be a date, YYYY-MM-DD'],
    [{ type: 'time', max: 12 }, 'questions[0].max must be a time, HH:MM'],
    [
      { type: 'date', min: '2026-02-02', max: '2026-02-01' },
      'questions[0].min must not be above max, which is 2026-02-01',
    ],
  ])('[RESP-07] refuses the bounds of %j', (question, fault) => {
    expect(faultOf([{ title: 'T', ...question }])).toBe(fault)
  })

  it('[RESP-05] requires points to be numbers by option id', () => {
    const points = (given: unknown) => faultOf([{ ...choice, points: given }])
    expect(points({ b: 1 })).toBe('questions[0].points names "b", which is not an option')
    expect(points({ a: '1' })).toBe('questions[0].points.a must be a number')
    expect(points({ a: Number.POSITIVE_INFINITY })).toBe('questions[0].points.a must be a number')
    expect(points([1])).toMatch(/^questions\[0\]\.points must be an object/)
    expect(questionsOf({ ...choice, points: null })[0]?.points).toBeUndefined()
    expect(questionsOf({ ...choice, points: { a: 2.5 } })[0]?.points).toEqual({ a: 2.5 })
  })

  it('[RESP-06] requires logic to name an earlier question and a valid answer to it', () => {
    const after = (show_if: unknown) =>
      faultOf([
        { ...choice, id: 'c' },
        { id: 'r', type: 'rating', title: 'R' },
        { type: 'date', title: 'D', show_if },
      ])
    expect(after({ question_id: 'c', equals: 'a' })).toBe('accepted')
    expect(after({ question_id: 'r', equals: 5 })).toBe('accepted')
    expect(after('c')).toBe('questions[2].show_if must be an object {"question_id", "equals"}')
    expect(after({ question_id: 'q3', equals: 'a' })).toMatch(
      /^questions\[2\]\.show_if\.question_id must be the id of an earlier question/,
    )
    expect(after({ question_id: 'c', equals: 'z' })).toBe(
      'questions[2].show_if.equals must be the id of an option of "c"',
    )
    expect(after({ question_id: 'r', equals: '5' })).toMatch(
      /^questions\[2\]\.show_if\.equals must be a valid answer to "r"/,
    )
    expect(after({ question_id: 'r' })).toMatch(/^questions\[2\]\.show_if\.equals/)
    expect(
      faultOf([{ id: 'x', type: 'date', title: 'D', show_if: { question_id: 'x', equals: '2026-01-01' } }]),
    ).toMatch(/earlier question/)
  })
})
