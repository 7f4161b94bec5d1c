import { QUESTION_TYPES } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { readQuestions } from '../../../src/domain/question/index.ts'
import { questionsOf } from './helpers.ts'

const OPTIONS = [{ id: 'a', label: 'A' }]
const choice = { type: 'single_choice', title: 'T', options: OPTIONS }

/** Path and message of the refusal. */
function faultOf(input: unknown): string {
  const read = readQuestions(input)
  return read.ok ? 'accepted' : `${read.field} ${read.message}`
}

describe('definitions of questions', () => {
  it('[RESP-07] fill in what they leave out', () => {
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

  it('[RESP-07] name the hole of a sparse list, as no JSON has it', () => {
    const options = [...OPTIONS, ...OPTIONS]
    delete options[1]
    expect(faultOf([{ ...choice, points: { a: 1 }, options }])).toBe(
      'questions[0].options[1] must be an object {"id", "label"}',
    )
  })

  it('[RESP-07] a default id gives way to one that another question claims', () => {
    expect(
      questionsOf({ type: 'date', title: 'A' }, { id: 'q1', type: 'date', title: 'B' }).map(({ id }) => id),
    ).toEqual(['q1_', 'q1'])
  })

  it('[ENV-09] leave out what their type does not use, and unknown fields', () => {
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

  it('[RESP-07] are refused with the path of what is wrong', () => {
    expect(faultOf('x')).toBe('questions must be a list of questions')
    expect(faultOf([null])).toBe(
      'questions[0] must be an object such as {"type": "short_text", "title": "…"}',
    )
    expect(faultOf([choice, { type: 'matrix', title: 'T' }])).toBe(
      `questions[1].type must be one of ${QUESTION_TYPES.join(', ')}`,
    )
    expect(faultOf([{ type: 'date' }])).toBe('questions[0].title must be a text that is not blank')
    expect(faultOf([{ type: 'date', title: 'T', required: 'yes' }])).toBe(
      'questions[0].required must be true or false',
    )
    expect(
      faultOf([
        { ...choice, id: 'x' },
        { ...choice, id: 'x' },
      ]),
    ).toBe('questions[1].id "x" is the id of an earlier question')
    expect(faultOf([{ ...choice, id: 5 }])).toMatch(/^questions\[0\]\.id must be a text/)
    expect(faultOf([{ ...choice, id: 'a[b]' }])).toBe(
      'questions[0].id must be free of brackets and control characters',
    )
    expect(faultOf([{ ...choice, id: '__proto__' }])).toMatch(/^questions\[0\]\.id must be another id/)
    expect(faultOf([{ ...choice, id: 'x'.repeat(101) }])).toBe(
      'questions[0].id must have at most 100 characters',
    )
    expect(faultOf([{ ...choice, options: [] }])).toMatch(/^questions\[0\]\.options must be a list/)
    expect(faultOf([{ ...choice, options: undefined }])).toMatch(/^questions\[0\]\.options must be a list/)
    expect(faultOf([{ ...choice, options: [...OPTIONS, ...OPTIONS] }])).toBe(
      'questions[0].options[1].id "a" stands in the list twice',
    )
    expect(faultOf([{ ...choice, options: [{ id: 'a' }] }])).toBe(
      'questions[0].options[0].label must be a text that is not blank',
    )
    expect(faultOf([{ ...choice, options: ['a'] }])).toBe(
      'questions[0].options[0] must be an object {"id", "label"}',
    )
    expect(faultOf([{ ...choice, allow_other: 1 }])).toBe('questions[0].allow_other must be true or false')
    expect(faultOf([{ type: 'grid_single', title: 'T', rows: OPTIONS }])).toMatch(
      /^questions\[0\]\.columns must be a list/,
    )
  })

  it('[RESP-07] have no more parts than a page can show', () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: `i${index}`, label: 'L' }))
    expect(faultOf([{ ...choice, options: list(5000) }])).toBe('accepted')
    expect(faultOf([{ ...choice, options: list(5001) }])).toBe(
      'questions[0].options must be a list of at most 5000',
    )
    const grid = { type: 'grid_multiple', title: 'T', rows: list(500), columns: list(100) }
    expect(faultOf([grid])).toBe('accepted')
    expect(faultOf([{ ...grid, rows: list(501) }])).toBe('questions[0].rows must be a list of at most 500')
    expect(faultOf([{ ...grid, columns: list(101) }])).toBe(
      'questions[0].columns must be a list of at most 100',
    )
  })

  it('[RESP-07] bounds have the kind of their type and the right order', () => {
    expect(faultOf([{ type: 'number', title: 'T', min: '1' }])).toBe('questions[0].min must be a number')
    expect(faultOf([{ type: 'number', title: 'T', max: Number.POSITIVE_INFINITY }])).toBe(
      'questions[0].max must be a number',
    )
    expect(faultOf([{ type: 'rating', title: 'T', max: 4.5 }])).toBe(
      'questions[0].max must be a whole number',
    )
    expect(faultOf([{ type: 'rating', title: 'T', min: 6 }])).toBe(
      'questions[0].min must not lie above max, which is 5',
    )
    expect(faultOf([{ type: 'short_text', title: 'T', max: -1 }])).toBe(
      'questions[0].max must be a whole number of 0 or more',
    )
    expect(faultOf([{ type: 'date', title: 'T', min: '2026-02-30' }])).toBe(
      'questions[0].min must be a date, YYYY-MM-DD',
    )
    expect(faultOf([{ type: 'time', title: 'T', max: 12 }])).toBe('questions[0].max must be a time, HH:MM')
    expect(faultOf([{ type: 'date', title: 'T', min: '2026-02-02', max: '2026-02-01' }])).toMatch(
      /^questions\[0\]\.min must not lie above/,
    )
  })

  it('[RESP-05] points name options and are numbers', () => {
    expect(faultOf([{ ...choice, points: { b: 1 } }])).toBe(
      'questions[0].points names "b", which is none of the options',
    )
    expect(faultOf([{ ...choice, points: { a: '1' } }])).toBe('questions[0].points.a must be a number')
    expect(faultOf([{ ...choice, points: [1] }])).toMatch(/^questions\[0\]\.points must be an object/)
    expect(questionsOf({ ...choice, points: { a: 2.5 } })[0]?.points).toEqual({ a: 2.5 })
  })

  it('[RESP-06] logic names an earlier question and an answer that it takes', () => {
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
      /^questions\[2\]\.show_if\.question_id must be the id of a question that stands earlier/,
    )
    expect(after({ question_id: 'c', equals: 'z' })).toBe(
      'questions[2].show_if.equals must be the id of an option of "c"',
    )
    expect(after({ question_id: 'r', equals: '5' })).toMatch(
      /^questions\[2\]\.show_if\.equals must be an answer that "r" takes/,
    )
    expect(after({ question_id: 'r' })).toMatch(/^questions\[2\]\.show_if\.equals/)
    expect(
      faultOf([{ id: 'x', type: 'date', title: 'D', show_if: { question_id: 'x', equals: '2026-01-01' } }]),
    ).toMatch(/stands earlier/)
  })
})
