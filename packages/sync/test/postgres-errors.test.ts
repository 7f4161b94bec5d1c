import { expect, it } from 'vitest'
import { translated } from '../src/postgres/errors.ts'

const failure = (code: string): Error => Object.assign(new Error('cannot execute INSERT'), { code })

it.each(['25006', '55000', '57P01', '08006', '53300'])('takes %s for an outage, which passes', (code) => {
  expect(translated(failure(code))).toMatchObject({ code: 'unavailable', isPassing: true })
})

it('leaves 55000 of a statement of onResponse as it is, such as currval() of an unused sequence', () => {
  const error = failure('55000')
  expect(translated(error, error)).toBe(error)
})
