import { describe, expect, it } from 'vitest'
import { path } from '../../src/http/path.ts'
import { UsageError } from '../../src/index.ts'

describe('ids in a path', () => {
  it('are encoded', () => {
    expect(path`/forms/${'a/b c'}/responses/${7}`).toBe('/forms/a%2Fb%20c/responses/7')
    expect(path`/forms/${'😀'}`).toBe('/forms/%F0%9F%98%80')
  })

  it.each([
    [{ id: 'guestvoice01' }, 'must be a string or an integer, got object; pass its id.'],
    [['guestvoice01'], 'must be a string or an integer, got object; pass its id.'],
    [Number.NaN, 'must be a string or an integer, got NaN.'],
    [1.5, 'must be a string or an integer, got 1.5.'],
    [undefined, 'must be a string or an integer, got undefined.'],
    [null, 'must be a string or an integer, got null.'],
    ['', 'must not be empty, "." or "..", got "".'],
    ['a\ud800', 'must be valid Unicode, got "a\\ud800".'],
    ['..', 'must not be empty, "." or "..", got "..".'],
  ])('refuse %j', (id, message) => {
    const build = () => path`/forms/${id as string}`
    expect(build).toThrow(UsageError)
    expect(build).toThrow(`The id after "/forms/" ${message}`)
  })
})
