import { describe, expect, it } from 'vitest'
import { path } from '../../src/http/path.ts'

describe('ids in a path', () => {
  it('are encoded', () => {
    expect(path`/forms/${'a/b c'}/responses/${7}`).toBe('/forms/a%2Fb%20c/responses/7')
  })

  it.each([
    [{ id: 'guestvoice01' }, 'must be a string or an integer, got object; pass its id.'],
    [['guestvoice01'], 'must be a string or an integer, got object; pass its id.'],
    [Number.NaN, 'must be a string or an integer, got NaN.'],
    [1.5, 'must be a string or an integer, got 1.5.'],
    [undefined, 'must be a string or an integer, got undefined.'],
    [null, 'must be a string or an integer, got null.'],
    ['', 'must not be empty, "." or "..", got "".'],
    ['..', 'must not be empty, "." or "..", got "..".'],
  ])('refuse %j', (id, message) => {
    expect(() => path`/forms/${id as string}`).toThrow(`The id after "/forms/" ${message}`)
  })
})
