import { describe, expect, expectTypeOf, it } from 'vitest'
import { checkedByCompiler } from '../../../test/support/checked-by-compiler.ts'
import { type Answer, type AnswersById, answersOf, type FormResponse } from '../src/index.ts'

/** As `formwire types` writes it. */
interface GuestFeedback {
  nps: TypedAnswer<'nps', number>
  colour?: TypedAnswer<
    'single_choice',
    { ids: ('red' | 'blue' | (string & Record<never, never>))[]; other: string | null }
  >
  changed?: TypedAnswer<'short_text', string> | TypedAnswer<'number', number>
}
interface TypedAnswer<Type extends string, Value> {
  question_id: string
  title: string
  type: Type
  value: Value
  text: string
}

const nps: Answer = { question_id: 'nps', title: 'How likely?', type: 'nps', value: 9, text: '9' }
const response = { answers: [nps] } as unknown as FormResponse

describe('answersOf', () => {
  it('returns the answers by question id, undefined for skipped ones, without copies', () => {
    const answers = answersOf<GuestFeedback>(response)
    expect(answers.nps).toBe(nps)
    expect(answers.nps.value).toBe(9)
    expect(answers.colour).toBeUndefined()
    expect(Object.keys(answers)).toEqual(['nps'])
  })

  it('narrows each value, and rejects ids that the form does not have', () => {
    const answers = answersOf<GuestFeedback>(response)
    expectTypeOf(answers.nps.value).toEqualTypeOf<number>()
    expectTypeOf(answers.nps.type).toEqualTypeOf<'nps'>()
    expectTypeOf(answers.colour?.value.other).toEqualTypeOf<string | null | undefined>()
    // @ts-expect-error An optional question can be undefined.
    expect(() => answers.colour.value).toThrow(TypeError)
    // @ts-expect-error A misspelt question id.
    expect(answers.npz).toBeUndefined()
    const { changed } = answers
    if (changed?.type === 'number') expectTypeOf(changed.value).toEqualTypeOf<number>()
    else if (changed) expectTypeOf(changed.value).toEqualTypeOf<string>()
  })

  it('accepts any string as an option id, since a form can get new options', () => {
    const ids = answersOf<GuestFeedback>(response).colour?.value.ids ?? []
    ids.push('red', 'an option of next month')
    // @ts-expect-error An option id is a string.
    ids.push(3)
    expect(ids).toHaveLength(3)
  })

  it('returns answers of any type without a generated type', () => {
    const answers = answersOf(response)
    expectTypeOf(answers).toEqualTypeOf<AnswersById>()
    expectTypeOf(answers.anything).toEqualTypeOf<Answer | undefined>()
    expect(answers.nps?.text).toBe('9')
    expect(answers.other).toBeUndefined()
  })

  it('rejects types that are not answers by question id', () => {
    checkedByCompiler()
    // @ts-expect-error A response is not a generated type.
    answersOf<FormResponse>(response)
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
    'reads question id %j safely',
    (id) => {
      expect(answersOf({ answers: [] })[id]).toBeUndefined()
      const answer = { ...nps, question_id: id }
      const answers = answersOf({ answers: [answer] })
      expect(answers[id]).toBe(answer)
      expect(Object.keys(answers)).toEqual([id])
      expect(({} as Record<string, unknown>).title).toBeUndefined()
    },
  )
})
