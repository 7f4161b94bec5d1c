import { QUESTION_TYPES } from '@formwire/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  choicesOf,
  idFor,
  moved,
  newQuestion,
  replacedAt,
  TYPES,
  withLabels,
  withQuestion,
  withType,
} from '../src/views/builder/model.ts'

describe('the ids of options', () => {
  it('are made from their labels, and unique', () => {
    expect(choicesOf(['Red', 'Dark red!', 'Red', 'Été', '赤'])).toEqual([
      { id: 'red', label: 'Red' },
      { id: 'dark_red', label: 'Dark red!' },
      { id: 'red_2', label: 'Red' },
      { id: 'ete', label: 'Été' },
      { id: 'option', label: '赤' },
    ])
  })

  it('stay when options are renamed, moved, added and removed, so that answers still name them', () => {
    const before = choicesOf(['Red', 'Green', 'Blue'])
    const ids = (choices: readonly { id: string }[]) => choices.map(({ id }) => id)
    expect(ids(withLabels(before, 0, ['Crimson'], before))).toEqual(['red', 'green', 'blue'])
    expect(ids(withLabels(moved(before, 2, 0), 1, ['Crimson'], before))).toEqual(['blue', 'red', 'green'])
    expect(ids(withLabels(before, 0, [], before))).toEqual(['green', 'blue'])
    expect(withLabels(before, 1, ['Green', 'Grey'], before)).toEqual([
      { id: 'red', label: 'Red' },
      { id: 'green', label: 'Green' },
      { id: 'grey', label: 'Grey' },
      { id: 'blue', label: 'Blue' },
    ])
  })

  it('follow the labels until they are saved, however often these change before', () => {
    const first = choicesOf(['Option 1', 'Option 2'])
    const second = withLabels(withLabels(first, 0, ['A']), 1, ['A'])
    expect(second).toEqual([
      { id: 'a', label: 'A' },
      { id: 'a_2', label: 'A' },
    ])
    expect(withLabels(second, 0, ['Alpha'])[0]).toEqual({ id: 'alpha', label: 'Alpha' })
    // One that was not made from its label stays.
    expect(withLabels([{ id: 'first', label: 'A' }], 0, ['B'])).toEqual([{ id: 'first', label: 'B' }])
    // Also one that is numbered after others that are gone.
    expect(withLabels([{ id: 'a_2', label: 'A' }], 0, ['A', 'B'])[0]).toEqual({ id: 'a_2', label: 'A' })
    const saved = choicesOf(['Red'])
    expect(withLabels(withLabels(saved, 0, ['Red', 'Green'], saved), 1, ['Lime'], saved)).toEqual([
      { id: 'red', label: 'Red' },
      { id: 'lime', label: 'Lime' },
    ])
  })

  it('take the conditions on them along', () => {
    const question = { id: 'q1', type: 'dropdown', title: 'Colour' } as const
    const conditional = (equals: string) => ({
      id: 'q2',
      type: 'email' as const,
      title: 'Email',
      show_if: { question_id: 'q1', equals },
    })
    const edited = (...labels: string[]) => ({ ...question, options: choicesOf(labels) })
    const before = [edited('Red', 'Green'), conditional('green')]
    expect(withQuestion(before, 0, edited('Red', 'Lime'))).toEqual([
      edited('Red', 'Lime'),
      conditional('lime'),
    ])
    // Still an option, at another place.
    expect(withQuestion(before, 0, edited('Green', 'Blue'))[1]).toEqual(conditional('green'))
    // Removed: the server reports the condition.
    expect(withQuestion(before, 0, edited('Red'))[1]).toEqual(conditional('green'))
  })

  it('are unique whatever the labels', () => {
    const labels = fc.array(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 12 })
    fc.assert(
      fc.property(labels, labels, (first, second) => {
        const choices = withLabels(choicesOf(first), 1, second)
        expect(choices.map(({ label }) => label)).toEqual([
          ...first.slice(0, 1),
          ...second,
          ...first.slice(2),
        ])
        expect(new Set(choices.map(({ id }) => id)).size).toBe(choices.length)
      }),
    )
  })

  it('are never one of those that are taken', () => {
    expect(idFor('A', new Set(['a', 'a_2']))).toBe('a_3')
  })
})

describe('questions in the builder', () => {
  it('have a name for each type', () => {
    expect(Object.keys(TYPES).sort()).toEqual([...QUESTION_TYPES].sort())
  })

  it('get an id that the form does not have', () => {
    const questions = [newQuestion('email', []), { ...newQuestion('date', []), id: 'q3' }]
    expect(newQuestion('number', questions).id).toBe('q4')
  })

  it('get the parts of a new type, and lose those that it does not have', () => {
    const choice = { ...newQuestion('single_choice', []), required: true, allow_other: true, min: 1 }
    expect(withType(choice, 'grid_single')).toEqual({
      id: 'q1',
      type: 'grid_single',
      title: 'Single choice',
      required: true,
      rows: [
        { id: 'row_1', label: 'Row 1' },
        { id: 'row_2', label: 'Row 2' },
      ],
      columns: [
        { id: 'column_1', label: 'Column 1' },
        { id: 'column_2', label: 'Column 2' },
        { id: 'column_3', label: 'Column 3' },
      ],
    })
    expect(withType(choice, 'dropdown').options).toEqual(choice.options)
  })

  it('move to another place, and not past the ends', () => {
    expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
    expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
    expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
    expect(replacedAt(['a', 'b', 'c'], 1, [])).toEqual(['a', 'c'])
    expect(replacedAt(['a', 'b', 'c'], 1, ['x', 'y'])).toEqual(['a', 'x', 'y', 'c'])
  })
})
