import { describe, expect, it } from 'vitest'
import { isTitle } from '../../src/domain/form-update.ts'

describe('a form', () => {
  it('[FORM-05] accepts titles of 1 to 200 code points', () => {
    const titles = [
      '',
      'x',
      'x'.repeat(200),
      'x'.repeat(201),
      '👩'.repeat(200),
      '👩'.repeat(201),
      'x'.repeat(401),
    ]
    expect(titles.map(isTitle)).toEqual([false, true, true, false, true, false, false])
  })
})
