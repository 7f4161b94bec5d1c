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

/** Tallies responses, newest first. */
const tallyOf = (...rows: PulledResponse[]): FormTally => {
  const tally = new FormTally('survey000001')
  for (const one of rows) tally.add(one)
  return tally
}

const text = (question_id: string) => ({ question_id, type: 'short_text', value: '', text: '' })

/** Options, rows or columns with these labels by their ids. */
const choices = (labels: Record<string, string>) =>
  Object.entries(labels).map(([id, label]) => ({ id, label }))

/** Returns the only question that responses show, newest first. */
const questionOf = (...rows: PulledResponse[]) =>
  [
    ...tallyOf(...rows)
      .questions()
      .values(),
  ][0]?.question

it('[RESP-07] takes labels from texts where they can be told apart, else from ids', () => {
  expect(
    questionOf(row(choice(['a', 'b'], 'Apples, Berries')), row(choice(['b', 'c'], 'Berries, Cherries'))),
  ).toMatchObject({
    options: choices({ a: 'Apples', b: 'Berries', c: 'Cherries' }),
  })
  // One label has the separator: it is what is left of the text without the one that is known.
  expect(
    questionOf(row(choice(['a', 'b'], 'Apples, red, Berries')), row(choice(['b'], 'Berries'))),
  ).toMatchObject({
    options: choices({ a: 'Apples, red', b: 'Berries' }),
  })
  expect(questionOf(row(choice(['a', 'b'], 'Apples, red, Berries')))).toMatchObject({
    options: choices({ a: 'a', b: 'b' }),
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
    rows: choices({ fri: 'Friday', sat: 'Saturday' }),
    columns: choices({ am: 'Morning', pm: 'Evening' }),
  })
  expect(questionOf(row({ ...grid, text: 'Fri: a: Morning; whatever' }))).toMatchObject({
    rows: choices({ fri: 'fri', sat: 'sat' }),
  })
})

it('widens the default bounds of scales to what was answered', () => {
  const rating = (value: number) => row({ question_id: 'q', type: 'rating', value, text: String(value) })
  expect(questionOf(rating(3))).toMatchObject({ min: 1, max: 5 })
  expect(questionOf(rating(-1.5), rating(1e300))).toMatchObject({ min: -2, max: Number.MAX_SAFE_INTEGER })
})

it('takes title and type from the newest response, drafts aside, and reports answers of other types', () => {
  const tally = new FormTally('survey000001')
  const answer = { question_id: 'q', value: 'x', text: 'x' }
  for (const type of ['url', 'url', 'phone'])
    tally.add({ ...row({ ...answer, type, title: 'Draft' }), status: 'in_progress' })
  tally.add(row({ ...answer, type: 'short_text', title: 'New' }))
  tally.add(row({ ...answer, type: 'email', title: 'Old' }))
  expect(tally.questions().get('q')?.question).toEqual({ id: 'q', type: 'short_text', title: 'New' })
  expect(tally.unknown).toEqual([{ id: 'q', why: 'type_changed', values: 4 }])
})

it('limits questions to what a form can have', () => {
  const tally = tallyOf(row(...Array.from({ length: 1002 }, (_, number) => text(`q${number}`))))
  expect(tally.questions().size).toBe(1000)
  expect(tally.unknown).toHaveLength(2)
})

const manyIds = (count: number): string[] => Array.from({ length: count }, (_, number) => `o${number}`)

it('keeps every option that a question can have, and reports answers with others', () => {
  const ids = manyIds(5001)
  expect(questionOf(row(choice(ids.slice(0, 5000), 'text')))?.options).toHaveLength(5000)
  const rows = ids.map((id) => row(choice([id], `Option ${id}`)))
  const tally = tallyOf(...rows, row(choice(['o1', 'a[0]'], 'two')))
  const options = tally.questions().get('q')?.question.options ?? []
  const byId = new Map(options.map(({ id, label }) => [id, label]))
  expect(byId).toEqual(new Map(ids.slice(0, 5000).map((id) => [id, `Option ${id}`])))
  expect(tally.unknown).toEqual([{ id: 'q', why: 'unusable_choice', values: 2 }])
})

it('keeps the rows and columns that a grid can have, and reports answers with others', () => {
  const grid = (value: Record<string, string>) => row({ question_id: 'q', type: 'grid_single', value })
  const tally = tallyOf(
    grid(Object.fromEntries(manyIds(501).map((id) => [id, 'c']))),
    ...manyIds(100).map((id) => grid({ o0: id })),
    grid({ o0: 'c' }),
  )
  const question = tally.questions().get('q')?.question
  expect(question?.rows).toHaveLength(500)
  expect(question?.columns).toHaveLength(100)
  expect(tally.unknown).toEqual([{ id: 'q', why: 'unusable_choice', values: 2 }])
})

it('keeps long titles and labels, and reports labels that it leaves out', () => {
  const tally = tallyOf(
    row({ ...choice(['a'], 'a'.repeat(5000)), title: 't'.repeat(3000) }),
    row(choice(['b'], 'b'.repeat(5001))),
  )
  const question = tally.questions().get('q')?.question
  expect(question?.title).toHaveLength(3000)
  expect(question?.options?.map(({ id, label }) => [id, label.length])).toEqual([
    ['b', 1],
    ['a', 5000],
  ])
  expect(tally.unknown).toEqual([{ id: 'q', why: 'changed', values: 1 }])
})

it('leaves out questions beyond the longest page that a form can have', () => {
  const tally = tallyOf(row(text('a'), { ...text('b'), title: 't'.repeat(8_000_000) }, text('c')))
  expect([...tally.questions().keys()]).toEqual(['a', 'c'])
  expect(tally.unknown).toEqual([{ id: 'b', why: 'too_many', values: 1 }])
})

it('refuses more questions than it can count', () => {
  const tally = tallyOf(...manyIds(10_000).map((id) => row(text(id))), row(text('o0')))
  expect(() => tally.add(row(text('another')))).toThrow(
    'form survey000001 has answers to more than 10000 questions',
  )
})
