import { describe, expect, it } from 'vitest'
import type { ReferenceServer } from '../../src/index.ts'
import type { BackFill } from '../../src/services/responses.ts'
import { openServer } from '../support/server.ts'

let server: ReferenceServer

const choices = (...ids: string[]) => ids.map((id) => ({ id, label: id.toUpperCase() }))

function start(questions: readonly object[]): string {
  server = openServer({ clock: 'manual', now: '2026-11-21T12:00:00Z' })
  const { id } = server.app.forms.create({ title: 'Survey', questions })
  return server.app.forms.publish(id).id
}

const answer = (form: string, values: Record<string, unknown>, more: Partial<BackFill> = {}) =>
  server.app.responses.create(form, {
    answers: Object.entries(values).map(([question_id, value]) => ({ question_id, value })),
    ...more,
  })

describe('the summary of a form', () => {
  it('counts options, other answers, and what drafts ended with', async () => {
    const form = start([
      {
        id: 'color',
        type: 'multiple_choice',
        title: 'Colors?',
        options: choices('red', 'blue'),
        allow_other: true,
      },
      { id: 'why', type: 'short_text', title: 'Why?' },
    ])
    const first = answer(form, { color: { ids: ['red', 'blue'], other: null }, why: 'Both are nice.' })
    answer(form, { color: { ids: ['red'], other: 'teal' } })
    answer(form, { color: { ids: ['blue'], other: null } }, { status: 'in_progress' })
    answer(form, {}, { status: 'in_progress' })
    expect(await server.app.responses.summary(form)).toMatchObject({
      form_id: form,
      responses: 2,
      counted_responses: 2,
      drafts: 2,
      counted_drafts: 2,
      counted_since: '2026-11-21T12:00:00.000Z',
      average_score: null,
      max_score: null,
      questions: [
        {
          question_id: 'color',
          answered: 2,
          drafts_ended: 1,
          removed: false,
          choices: [
            { id: 'red', label: 'RED', count: 2 },
            { id: 'blue', label: 'BLUE', count: 1 },
          ],
          other: 1,
        },
        {
          question_id: 'why',
          answered: 1,
          drafts_ended: 0,
          latest: [{ response_id: first.id, text: 'Both are nice.' }],
        },
      ],
    })
  })

  it('computes the score of an NPS question, and averages, medians and bars of numbers', async () => {
    const form = start([
      { id: 'nps', type: 'nps', title: 'Recommend?' },
      { id: 'size', type: 'number', title: 'Size?' },
    ])
    for (const [nps, size] of [
      [10, 1.5],
      [9, 2],
      [8, 10],
      [6, 101.5],
    ])
      answer(form, { nps, size })
    const { questions } = await server.app.responses.summary(form)
    expect(questions[0]).toMatchObject({
      nps: { score: 25, promoters: 2, passives: 1, detractors: 1 },
      numbers: { average: 8.25, median: 8.5, min: 6, max: 10 },
    })
    expect(questions[0]?.numbers?.tally).toHaveLength(11)
    expect(questions[0]?.numbers?.tally.filter(({ count }) => count > 0)).toEqual([
      { from: 6, to: 6, count: 1 },
      { from: 8, to: 8, count: 1 },
      { from: 9, to: 9, count: 1 },
      { from: 10, to: 10, count: 1 },
    ])
    expect(questions[1]?.numbers).toMatchObject({ average: 28.75, median: 6, min: 1.5, max: 101.5 })
    expect(questions[1]?.numbers?.tally.map(({ count }) => count)).toEqual([3, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  })

  it('ranks options, counts the cells of grids, and averages scores', async () => {
    const form = start([
      { id: 'rank', type: 'ranking', title: 'Rank', options: choices('a', 'b', 'c') },
      {
        id: 'grid',
        type: 'grid_multiple',
        title: 'Grid',
        rows: choices('r', 's'),
        columns: choices('x', 'y'),
      },
      {
        id: 'quiz',
        type: 'single_choice',
        title: 'Quiz',
        options: choices('right', 'wrong'),
        points: { right: 5 },
      },
    ])
    answer(form, {
      rank: { ids: ['b', 'a', 'c'], other: null },
      grid: { r: ['x', 'y'], s: ['y'] },
      quiz: { ids: ['right'], other: null },
    })
    answer(form, {
      rank: { ids: ['b', 'c', 'a'], other: null },
      grid: { r: ['x'] },
      quiz: { ids: ['wrong'], other: null },
    })
    const summary = await server.app.responses.summary(form)
    expect(summary).toMatchObject({ average_score: 2.5, max_score: 5 })
    expect(summary.questions[0]?.ranks).toEqual([
      { id: 'b', label: 'B', average: 1 },
      { id: 'a', label: 'A', average: 2.5 },
      { id: 'c', label: 'C', average: 2.5 },
    ])
    expect(summary.questions[1]?.rows).toEqual([
      {
        id: 'r',
        label: 'R',
        choices: [
          { id: 'x', label: 'X', count: 2 },
          { id: 'y', label: 'Y', count: 1 },
        ],
      },
      {
        id: 's',
        label: 'S',
        choices: [
          { id: 'x', label: 'X', count: 0 },
          { id: 'y', label: 'Y', count: 1 },
        ],
      },
    ])
  })

  it('lists questions that were removed from the form last', async () => {
    const form = start([
      { id: 'old', type: 'short_text', title: 'Old?' },
      { id: 'kept', type: 'yes_no', title: 'Kept?' },
    ])
    answer(form, { old: 'text', kept: { ids: ['yes'], other: null } })
    server.app.forms.update(form, { questions: [{ id: 'kept', type: 'yes_no', title: 'Kept?' }] })
    const { questions } = await server.app.responses.summary(form)
    expect(questions.map(({ question_id: id, removed, title }) => [id, removed, title])).toEqual([
      ['kept', false, 'Kept?'],
      ['old', true, 'Old?'],
    ])
  })

  it('counts the answers to a question that has another type now as far as they fit', async () => {
    const form = start([{ id: 'q', type: 'short_text', title: 'Q' }])
    answer(form, { q: 'text' })
    server.app.forms.update(form, {
      questions: [{ id: 'q', type: 'ranking', title: 'Q', options: choices('a', 'b') }],
    })
    server.app.forms.publish(form)
    answer(form, { q: { ids: ['b', 'a'] } })
    const { questions } = await server.app.responses.summary(form)
    expect(questions).toMatchObject([
      {
        question_id: 'q',
        answered: 2,
        ranks: [
          { id: 'b', average: 1 },
          { id: 'a', average: 2 },
        ],
      },
    ])
  })

  it('counts a single number that is not whole', async () => {
    const form = start([{ id: 'n', type: 'number', title: 'N?' }])
    answer(form, { n: 2.5 })
    const { questions } = await server.app.responses.summary(form)
    expect(questions[0]?.numbers).toMatchObject({ min: 2.5, max: 2.5 })
    expect(questions[0]?.numbers?.tally.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  })

  it('counts the newest 2,000 responses of more, and follows deletions', async () => {
    const form = start([{ id: 'n', type: 'rating', title: 'N?' }])
    for (let index = 0; index < 2_100; index++) answer(form, { n: index < 100 ? 1 : 5 })
    const summary = await server.app.responses.summary(form)
    expect(summary).toMatchObject({ responses: 2_100, counted_responses: 2_000 })
    expect(summary.questions[0]?.numbers).toMatchObject({ min: 5, max: 5 })
    expect(await server.app.responses.summary(form)).toBe(summary)
    server.app.responses.delete(form, 2_100)
    const after = await server.app.responses.summary(form)
    expect(after).toMatchObject({ responses: 2_099, counted_responses: 2_000 })
    expect(after.questions[0]?.numbers).toMatchObject({ min: 1 })
  })

  it('is refused for an unknown form', async () => {
    server = openServer()
    await expect(server.app.responses.summary('nosuchform12')).rejects.toThrow('Not found.')
  })
})
