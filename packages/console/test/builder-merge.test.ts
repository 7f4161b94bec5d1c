// cspell:ignore abcx abxc cabx xabc xabcd
import { describe, expect, it } from 'vitest'
import { changesOf, merge } from '../src/views/builder/merge.ts'
import type { EditedForm, EditedQuestion } from '../src/views/builder/model.ts'

const question = (id: string, title = id, more: object = {}): EditedQuestion => ({
  id,
  type: 'short_text',
  title,
  ...more,
})
const form = (ids: string, changes: Partial<EditedForm> = {}): EditedForm => ({
  title: 'Form',
  language: null,
  questions: [...ids].map((id) => question(id)),
  ...changes,
})
const BASE = form('abc')
const withQuestions = (...questions: EditedQuestion[]) => form('', { questions })
const ids = ({ questions }: EditedForm) => questions.map(({ id }) => id).join('')

describe('edits of a form that was changed elsewhere', () => {
  it.each([
    ['one added here, one elsewhere', 'abcd', 'xabc', 'xabcd', 0],
    ['one removed here, one elsewhere', 'ac', 'ab', 'a', 0],
    ['moved here, added elsewhere', 'cab', 'abxc', 'cabx', 0],
    ['added here, moved elsewhere', 'abxc', 'cab', 'cabx', 0],
    ['the same added in both', 'abcd', 'abcd', 'abcd', 0],
    ['moved to different places', 'bac', 'acb', 'bac', 1],
    ['all removed here', '', 'abcx', 'x', 0],
  ])('keep the questions of both: %s', (_case, mine, theirs, merged, clashes) => {
    const result = merge(BASE, form(mine), form(theirs))
    expect([ids(result.form), result.clashes.length]).toEqual([merged, clashes])
  })

  it('take each part from where it was edited', () => {
    const mine = { ...withQuestions(question('a', 'A'), question('b'), question('c')), language: 'de' }
    const theirs = { ...withQuestions(question('a'), question('b', 'B'), question('c')), title: 'New' }
    const { form: merged, clashes } = merge(BASE, mine, theirs)
    expect(merged).toMatchObject({
      title: 'New',
      language: 'de',
      questions: [{ title: 'A' }, { title: 'B' }, {}],
    })
    expect(clashes).toEqual([])
  })

  it('clash where the same was edited, and take the version that is chosen', () => {
    const mine = { ...withQuestions(question('a', 'Mine'), question('b')), title: 'Mine' }
    const theirs = {
      ...withQuestions(question('a', 'Theirs'), question('b'), question('c', 'C')),
      title: 'Theirs',
    }
    const { form: merged, clashes } = merge(BASE, mine, theirs)
    expect(clashes.map(({ key }) => key).sort()).toEqual(['#a', '#c', 'title'])
    expect([merged.title, merged.questions]).toEqual(['Mine', [question('a', 'Mine'), question('b')]])
    const taken = merge(BASE, mine, theirs, new Set(['#c', 'title'])).form
    expect([taken.title, taken.questions.map(({ title }) => title)]).toEqual(['Theirs', ['Mine', 'b', 'C']])
  })

  it('give a new question another id where one was added elsewhere with its own, conditions included', () => {
    const condition = { question_id: 'q4', equals: 'x' }
    const mine = withQuestions(
      ...BASE.questions,
      question('q4', 'Mine'),
      question('e', 'e', { show_if: condition }),
    )
    const { form: merged, clashes } = merge(
      BASE,
      mine,
      withQuestions(...BASE.questions, question('q4', 'Theirs')),
    )
    expect(merged.questions.slice(3)).toEqual([
      question('q6', 'Mine'),
      question('e', 'e', { show_if: { ...condition, question_id: 'q6' } }),
      question('q4', 'Theirs'),
    ])
    expect(clashes).toEqual([])
  })

  it('are not doubled by a save whose answer was lost, although the server filled in what was left out', () => {
    const added: EditedQuestion = { type: 'rating', id: 'd', title: 'd' }
    const stored: EditedQuestion = { id: 'd', type: 'rating', title: 'd', required: false, min: 1, max: 5 }
    const { form: merged, clashes } = merge(
      BASE,
      withQuestions(...BASE.questions, added),
      withQuestions(...BASE.questions, stored),
    )
    expect([merged.questions[3], merged.questions.length, clashes]).toEqual([stored, 4, []])
  })

  it('are sent alone', () => {
    expect(changesOf(BASE, { ...BASE, title: 'New' })).toEqual({ title: 'New' })
    expect(changesOf(BASE, form('abc'))).toEqual({})
  })
})
