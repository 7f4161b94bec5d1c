import { expect, it } from 'vitest'
import type { PulledAnswer, PulledResponse } from '../../src/pull/lines.ts'
import { FormTally } from '../../src/pull/tally.ts'

let id = 0
const row = (...answers: (Omit<PulledAnswer, 'title'> & { title?: string })[]): PulledResponse => {
  id += 1
  return { id, answers: answers.map((answer) => ({ title: 'Title', ...answer })) }
}

const choice = (ids: string[], text: string, other: string | null = null) => ({
  question_id: 'q',
  type: 'multiple_choice',
  value: { ids, other },
  text,
})

/** Returns the only question that responses show, newest first. */
const questionOf = (...rows: PulledResponse[]) => {
  const tally = new FormTally()
  for (const one of rows) tally.add(one)
  return [...tally.questions().values()][0]?.question
}

it('[RESP-07] takes labels from texts where they can be told apart, else from ids', () => {
  expect(
    questionOf(row(choice(['a', 'b'], 'Apples, Berries')), row(choice(['b', 'c'], 'Berries, Cherries'))),
  ).toMatchObject({
    options: [
      { id: 'a', label: 'Apples' },
      { id: 'b', label: 'Berries' },
      { id: 'c', label: 'Cherries' },
    ],
  })
  // One label has the separator: it is what is left of the text without the one that is known.
  expect(
    questionOf(row(choice(['a', 'b'], 'Apples, red, Berries')), row(choice(['b'], 'Berries'))),
  ).toMatchObject({
    options: [
      { id: 'a', label: 'Apples, red' },
      { id: 'b', label: 'Berries' },
    ],
  })
  expect(questionOf(row(choice(['a', 'b'], 'Apples, red, Berries')))).toMatchObject({
    options: [
      { id: 'a', label: 'a' },
      { id: 'b', label: 'b' },
    ],
  })
})

it('[RESP-07] tells labels from the other text', () => {
  expect(questionOf(row(choice(['a'], 'Apples, pears, too', 'pears, too')))).toMatchObject({
    allow_other: true,
    options: [{ id: 'a', label: 'Apples' }],
  })
  expect(questionOf(row(choice([], 'pears', 'pears')))).toMatchObject({ options: [{ id: 'unknown' }] })
})

it('[RESP-07] finds rows and columns of grids', () => {
  const grid = { question_id: 'q', type: 'grid_multiple', value: { fri: ['am', 'pm'], sat: ['pm'] } }
  expect(questionOf(row({ ...grid, text: 'Friday: Morning, Evening; Saturday: Evening' }))).toMatchObject({
    rows: [
      { id: 'fri', label: 'Friday' },
      { id: 'sat', label: 'Saturday' },
    ],
    columns: [
      { id: 'am', label: 'Morning' },
      { id: 'pm', label: 'Evening' },
    ],
  })
  expect(questionOf(row({ ...grid, text: 'Fri: a: Morning; whatever' }))).toMatchObject({
    rows: [
      { id: 'fri', label: 'fri' },
      { id: 'sat', label: 'sat' },
    ],
  })
})

it('widens the default bounds of scales to what was answered', () => {
  const rating = (value: number) => row({ question_id: 'q', type: 'rating', value, text: String(value) })
  expect(questionOf(rating(3))).toMatchObject({ min: 1, max: 5 })
  expect(questionOf(rating(-1.5), rating(1e300))).toMatchObject({ min: -2, max: Number.MAX_SAFE_INTEGER })
})

it('takes title and type from the newest response, drafts aside, and reports answers of other types', () => {
  const tally = new FormTally()
  const answer = { question_id: 'q', value: 'x', text: 'x' }
  tally.add({ ...row({ ...answer, type: 'url', title: 'Draft' }), status: 'in_progress' })
  tally.add(row({ ...answer, type: 'short_text', title: 'New' }))
  tally.add(row({ ...answer, type: 'email', title: 'Old' }))
  expect(tally.questions().get('q')?.question).toEqual({ id: 'q', type: 'short_text', title: 'New' })
  expect(tally.unknown).toEqual([{ id: 'q', why: 'type_changed', values: 2 }])
})

it('limits questions to what a form can have', () => {
  const tally = new FormTally()
  tally.add(
    row(
      ...Array.from({ length: 1002 }, (_, number) => ({
        question_id: `q${number}`,
        type: 'short_text',
        value: '',
        text: '',
      })),
    ),
  )
  expect(tally.questions().size).toBe(1000)
  expect(tally.unknown).toHaveLength(2)
})
