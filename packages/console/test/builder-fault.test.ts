import { describe, expect, it } from 'vitest'
import { faultOf } from '../src/views/builder/fault.ts'
import type { EditedQuestion } from '../src/views/builder/model.ts'

const questions: EditedQuestion[] = [
  { id: 'q1', type: 'short_text', title: 'Your name' },
  { id: 'q2', type: 'single_choice', title: 'Colour', options: [] },
  { id: 'q3', type: 'rating', title: 'Stars', min: 9 },
  { id: 'q4', type: 'email', title: 'Email', show_if: { question_id: 'q1', equals: '' } },
  { id: 'q5', type: 'grid_single', title: 'Grid', rows: [], columns: [{ id: 'a', label: 'A' }] },
]

// What the server names and says, the part of the question, and what its card says.
const FAULTS = `
questions[0].title          | must be a string that is not blank.            | title   | Enter a title.
questions[1].options        | must be a list of at least one {"id", "label"}. | options | Enter at least one option.
questions[4].rows           | must be a list of at least one {"id", "label"}. | rows    | Enter at least one row.
questions[4].columns        | must be a list of at most 100.                 | columns | The columns must be a list of at most 100.
questions[2].min            | must not be above max, which is 5.             | min     | “From” must not be above “To”, which is 5.
questions[2].max            | must be an integer.                            | max     | “To” must be an integer.
questions[0].tpye           | Unknown field "tpye"; did you mean "type"?     | tpye    | Unknown field "tpye"; did you mean "type"?
questions[3].show_if.equals | must be a valid answer to "q1".                | show_if | Enter the answer to “Your name” that shows this question.
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))

describe('a fault in the builder', () => {
  it.each(FAULTS)('at %s names the field of its card: %s', (field, reason, part, message) => {
    const at = Number(field?.charAt('questions['.length))
    expect(faultOf({ field, message: `${field}: ${reason}` }, questions)).toEqual({ at, part, message })
  })

  it('asks for the text of an option that has none', () => {
    const options = [
      { id: 'red', label: 'Red' },
      { id: 'option', label: ' ' },
    ]
    const refusal = { field: 'questions[0].options', message: 'questions[0].options: must be a list.' }
    expect(faultOf(refusal, [{ type: 'dropdown', title: 'Colour', options }])).toMatchObject({
      part: 'options',
      message: 'Enter a text for each option, or remove it.',
    })
  })

  it('of the form itself stays as the server states it', () => {
    const refusal = { field: 'questions', message: 'questions: must be a list of at most 1000, got 1001.' }
    expect(faultOf(refusal, questions)).toEqual({ at: undefined, part: undefined, message: refusal.message })
  })

  it('names a condition whose question was moved below or removed', () => {
    const moved = questions.slice(1)
    const refusal = {
      field: 'questions[2].show_if.question_id',
      message: 'questions[2].show_if.question_id: must be the id of an earlier question of the form.',
    }
    expect(faultOf(refusal, moved).message).toBe('Choose an earlier question, or always show this one.')
  })
})
