import { describe, expect, it } from 'vitest'
import { KnownQuestions } from '../../src/watch/questions.ts'

const answer = (question_id: unknown, type: unknown = 'nps') =>
  ({ question_id, type, title: '', value: 1, text: '1' }) as never

/** Adds a response per list of question ids, and returns what changed with its number, from 1. */
function changesOf(known: KnownQuestions, responses: readonly (readonly string[])[]) {
  return responses.flatMap((ids, index) =>
    known
      .add(ids.map((id) => answer(id)))
      .map(({ kind, questionId }) => `${index + 1} ${questionId} ${kind}`),
  )
}

describe('the questions of a form', () => {
  it('[RESP-06] appear with their first answer and change with an answer of another type', () => {
    const known = new KnownQuestions()
    expect(known.isEmpty).toBe(true)
    expect(known.add([answer('a'), answer('b', 'date'), answer('a', 'late')])).toEqual([
      { kind: 'question_added', questionId: 'a', type: 'nps' },
      { kind: 'question_added', questionId: 'b', type: 'date' },
    ])
    expect(known.add([answer('a', 'scale')])).toEqual([
      { kind: 'question_changed', questionId: 'a', type: 'scale', before: 'nps' },
    ])
    expect(known.add([answer('a', 'scale')])).toEqual([])
    expect(known.isEmpty).toBe(false)
  })

  it('are removed once when too many responses leave them out for chance, and appear again when answered', () => {
    const known = new KnownQuestions()
    const both = Array(5).fill(['a', 'b'])
    const one = Array(12).fill(['a'])
    expect(changesOf(known, [...both, ...one, ['a', 'b'], ['a', 'b']])).toEqual([
      '1 a question_added',
      '1 b question_added',
      '15 b question_removed',
      '18 b question_added',
    ])
  })

  it('are missed for longer the more seldom they are answered', () => {
    const known = new KnownQuestions()
    // Every tenth response.
    const seldom = Array.from({ length: 100 }, (_, index) => (index % 10 === 0 ? ['a', 'b'] : ['a']))
    expect(changesOf(known, [...seldom, ...Array(300).fill(['a'])])).toEqual([
      '1 a question_added',
      '1 b question_added',
      '212 b question_removed',
    ])
  })

  it('are the same after they were stored, whatever their ids are', () => {
    const known = new KnownQuestions()
    known.at = '2026-11-21T12:00:00'
    for (let index = 0; index < 9; index += 1) known.add([answer('__proto__'), answer('b')])
    for (let index = 0; index < 9; index += 1) known.add([answer('b')])
    const again = new KnownQuestions(known.toString())
    expect(again.at).toBe('2026-11-21T12:00:00')
    expect(again.toString()).toBe(known.toString())
    expect(again.add([answer('b')])).toEqual([
      { kind: 'question_removed', questionId: '__proto__', type: 'nps' },
    ])
    expect(new KnownQuestions(again.toString()).add([answer('b')])).toEqual([])
  })

  it('are those of readable answers, 1,000 at most', () => {
    const known = new KnownQuestions()
    expect(known.add([null as never, answer(7), answer('a', null)])).toEqual([])
    const many = Array.from({ length: 1_001 }, (_, index) => answer(`q${index}`))
    expect(known.add(many)).toHaveLength(1_000)
  })
})
