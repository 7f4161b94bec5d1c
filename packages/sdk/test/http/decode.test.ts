import { describe, expect, it } from 'vitest'
import { decode, type Shape } from '../../src/http/decode.ts'
import { respond } from '../support/fake-transport.ts'

const read = (body: unknown, shape: Shape = 'item') =>
  decode(respond({ body }), shape, { method: 'GET', path: '/me', attempts: 1 }, (value) => value)

describe('decoding a response', () => {
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

  describe('longer than 1 MiB', () => {
    const filler = ' '.repeat(1024 * 1024)
    const nested = (levels: number): string => `${filler}{"data":${'['.repeat(levels)}${']'.repeat(levels)}}`
    const many = (commas: number): string => `${filler}{"data":[0${',0'.repeat(commas)}]}`

    it('accepts 1,000 levels and 4,000,000 values, and no more', () => {
      expect(read(nested(999), 'any')).toBeTruthy()
      expect(read(many(3_999_998), 'any')).toBeTruthy()
      expect(() => read(nested(1000), 'any')).toThrow(
        /^GET \/me returned 200, but the body \(\d+ characters\) exceeds 1,000 levels\.$/,
      )
    })

    it('[ENV-06] takes too many values for a page that is too large, which may be halved', () => {
      expect(() => read(many(3_999_999), 'any')).toThrow(
        expect.objectContaining({
          name: 'ResponseTooLargeError',
          message: 'GET /me: response body exceeds 4,000,000 values; lower per_page.',
        }),
      )
    })

    it('distinguishes invalid JSON from too much of it', () => {
      expect(() => read(`${filler}{`, 'any')).toThrow(/characters\) is invalid or truncated JSON\.$/)
    })

    it('counts nothing inside texts', () => {
      const text = '{[,'.repeat(1_000_000)
      expect(read(`{"data":["${text}","\\"${text}\\\\"]}`, 'any')).toEqual({ data: [text, `"${text}\\`] })
    })
  })
})
