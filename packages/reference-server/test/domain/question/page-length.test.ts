import { describe, expect, it } from 'vitest'
import { answerText } from '../../../src/domain/question/index.ts'
import { pageLength } from '../../../src/domain/question/page-length.ts'
import { questionOf, questionsOf } from './helpers.ts'

const choices = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `o${index % 10}${index >= 10 ? index : ''}`,
    label: 'Label',
  }))

describe('the estimated length of a page', () => {
  it('counts a question with its title', () => {
    expect(pageLength([questionOf('short_text', { title: 'Name' })])).toBe(404)
    expect(pageLength([])).toBe(0)
  })

  it('counts each option with a field, its id and its label', () => {
    const options = [
      { id: 'a', label: 'Apple' },
      { id: 'bb', label: 'Fig' },
    ]
    // 400 and the title; two fields with the id of the question; two ids; two labels.
    expect(pageLength([questionOf('single_choice', { title: 'T', options })])).toBe(401 + 2 * 131 + 3 + 8)
  })

  it('counts a list of options for each place of a ranking of at most 30', () => {
    const list = (count: number) =>
      count * 131 + choices(count).reduce((sum, { id }) => sum + id.length + 5, 0)
    const of = (count: number) => pageLength([questionOf('ranking', { title: 'T', options: choices(count) })])
    expect(of(30)).toBe(401 + 30 * list(30))
    expect(of(31)).toBe(401 + list(31))
  })

  it('counts each column of a grid for each row', () => {
    const rows = [
      { id: 'r1', label: 'One' },
      { id: 'r02', label: 'Three' },
    ]
    const columns = [
      { id: 'c', label: 'Good' },
      { id: 'cc', label: 'Bad' },
      { id: 'ccc', label: 'Fair' },
    ]
    const row = 3 * 131 + 6 + 11
    expect(pageLength([questionOf('grid_single', { title: 'T', rows, columns })])).toBe(
      401 + 2 * row + 3 * 5 + 8,
    )
  })

  it('counts a condition with the title of its question and the text of its answer', () => {
    const [pet, name] = questionsOf(
      { id: 'pet', type: 'yes_no', title: 'A pet?' },
      { id: 'name', type: 'short_text', title: 'Name', show_if: { question_id: 'pet', equals: 'yes' } },
    ) as [ReturnType<typeof questionOf>, ReturnType<typeof questionOf>]
    const whole = pageLength([pet, name])
    expect(whole - pageLength([pet])).toBe(404 + 'A pet?'.length + 'Yes'.length)
  })
})

describe('the text of a condition', () => {
  it('is the label of its option, or the text of its value', () => {
    expect(answerText(questionOf('single_choice'), 'b')).toBe('Banana')
    expect(answerText(questionOf('short_text'), 'Rex')).toBe('Rex')
    expect(answerText(questionOf('number'), 3)).toBe('3')
  })
})
