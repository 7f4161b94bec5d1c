import { describe, expect, it } from 'vitest'
import { decode, type Shape } from '../../src/http/decode.ts'
import { respond } from '../support/fake-transport.ts'

const read = (body: unknown, shape: Shape = 'item') =>
  decode(respond({ body }), shape, { method: 'GET', path: '/me', attempts: 1 }, (value) => value)
const meta = { page: 1, per_page: 20, total: 1 }

describe('decoding a response', () => {
  it.each([
    ['an object', { data: { id: 2 ** 53 } }, 'item'],
    ['an object in it', { data: { user: { id: 1 }, workspace: { id: 2 ** 53 } } }, 'item'],
    ['an item of a list', { data: [{ id: 1 }, { id: 2 ** 53 }], meta }, 'list'],
  ] as const)('rejects an id that JSON numbers cannot hold, of %s', (_where, body, shape) => {
    expect(() => read(body, shape)).toThrow('GET /me returned 200, but an id in "data" exceeds 2^53 - 1.')
  })

  it('accepts the largest exact id', () => {
    expect(read({ data: { id: Number.MAX_SAFE_INTEGER } }).data).toEqual({ id: 9007199254740991 })
  })

  it('[ENV-02] requires meta in a paginated list, but not in a short one', () => {
    expect(read({ data: [] }, 'short-list')).toEqual({ data: [] })
    expect(() => read({ data: [] }, 'list')).toThrow(
      'GET /me returned 200, but "meta" is missing or invalid.',
    )
  })

  it('accepts any data where no shape is known, but requires "data"', () => {
    expect(read({ data: 5 }, 'any')).toEqual({ data: 5 })
    expect(read({ data: [{ id: 2 ** 53 }] }, 'any').data).toEqual([{ id: 2 ** 53 }])
    expect(() => read({}, 'any')).toThrow('the body has no "data"')
  })

  it('names a body without "data"', () => {
    expect(() => read({ user: {} })).toThrow('GET /me returned 200, but the body has no "data".')
    expect(() => read('5')).toThrow('GET /me returned 200, but the body has no "data".')
  })
})
