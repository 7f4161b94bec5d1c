import { describe, expect, it } from 'vitest'
import type { Question } from '../../../src/domain/question/index.ts'
import { isShown } from '../../../src/domain/question/validate-answers.ts'
import { questionOf } from './helpers.ts'

const CV = { id: 'file_1', name: 'cv.pdf', size: 10 }

/** Whether a question is shown that depends on an answer to a question of a type. */
const shown = (controlling: Question, equals: unknown, value: unknown): boolean =>
  isShown(
    { ...questionOf('short_text'), show_if: { question_id: 'q', equals } } as Question,
    controlling,
    value,
  )

describe('a question with a condition', () => {
  it('[RESP-06] is shown for a list with equal items in the same order', () => {
    const file = questionOf('file')
    expect(shown(file, [CV], [{ size: 10, name: 'cv.pdf', id: 'file_1' }])).toBe(true)
    expect(shown(file, [CV], [{ ...CV, size: 11 }])).toBe(false)
    expect(shown(file, [CV], [CV, CV])).toBe(false)
    expect(shown(file, [CV, CV], [CV])).toBe(false)
    expect(shown(file, ['a', 'b'], ['b', 'a'])).toBe(false)
  })

  it('[RESP-06] is hidden if only one of the two is a list', () => {
    const file = questionOf('file')
    expect(shown(file, 'ab', ['a', 'b'])).toBe(false)
    expect(shown(file, ['a', 'b'], 'ab')).toBe(false)
    expect(shown(file, { 0: CV, length: 1 }, [CV])).toBe(false)
  })

  it('[RESP-06] is hidden if the members of an object differ', () => {
    const grid = questionOf('grid_single')
    expect(shown(grid, { r1: 'c1' }, { r1: 'c1' })).toBe(true)
    expect(shown(grid, { r1: 'c1' }, { r1: 'c1', r2: 'c1' })).toBe(false)
    expect(shown(grid, { r1: 'c1' }, { r2: 'c1' })).toBe(false)
  })
})
