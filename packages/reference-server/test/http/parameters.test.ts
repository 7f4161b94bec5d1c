import { describe, expect, it } from 'vitest'
import {
  parseQuery,
  readChoice,
  readId,
  readPage,
  readSince,
  refusePastEnd,
  refuseUnknown,
} from '../../src/http/parameters.ts'
import { quote } from '../../src/known-names.ts'
import { DEFAULT_UNSPECIFIED } from '../../src/unspecified.ts'

describe('page and per_page', () => {
  it.each([
    ['', { page: 1, perPage: 25, from: 0 }],
    ['page=3', { page: 3, perPage: 25, from: 50 }],
    ['page=2&per_page=1', { page: 2, perPage: 1, from: 1 }],
    ['page=10&per_page=100', { page: 10, perPage: 100, from: 900 }],
  ])('[ENV-06] of %j select a page', (query, page) => {
    expect(readPage(parseQuery(query))).toEqual(page)
  })

  it.each(['0', '01', '-1', 'x1', '1x', '1.0', '+1', ' 1', '', '1e1', '12345678901234567'])(
    '[ENV-06] are plain decimals, not %j',
    (text) => {
      const invalid = (field: string) => expect.objectContaining({ status: 422, details: { field } })
      expect(() => readPage(new Map([['page', text]]))).toThrow(invalid('page'))
      expect(() => readPage(new Map([['per_page', text]]))).toThrow(invalid('per_page'))
      expect(readId(text)).toBeUndefined()
    },
  )

  it('[RESP-03] an id is a plain decimal', () => {
    expect([readId('7'), readId('120'), readId(undefined)]).toEqual([7, 120, undefined])
  })

  it('[ENV-06] past the end are refused with pagePastEnd: 422', () => {
    const past = (page: number, from: number, total: number, pagePastEnd: '422' | 'empty') => () =>
      refusePastEnd({ ...DEFAULT_UNSPECIFIED, pagePastEnd }, { page, from, perPage: 25 }, total)
    expect(past(2, 25, 25, '422')).toThrow('page 2 is past the end of the list.')
    for (const ok of [past(2, 25, 26, '422'), past(1, 0, 0, '422'), past(2, 25, 0, 'empty')])
      expect(ok()).toBeUndefined()
  })
})

describe('other parameters', () => {
  it('[FORM-02] have one of the known values', () => {
    const read = (text?: string) =>
      readChoice(new Map(text === undefined ? [] : [['status', text]]), 'status', ['draft', 'closed'])
    expect([read(), read('draft'), read('closed')]).toEqual([undefined, 'draft', 'closed'])
    expect(() => read('open')).toThrow('status must be one of draft, closed, got "open".')
    expect(() => read('')).toThrow(expect.objectContaining({ status: 422, details: { field: 'status' } }))
  })

  it('[RESP-02] since is an instant', () => {
    expect(readSince(new Map())).toBeUndefined()
    expect(readSince(new Map([['since', '2026-03-01']]))).toBe(1_772_323_200_000)
    expect(() => readSince(new Map([['since', 'yesterday']]))).toThrow(
      'since must be an ISO 8601 date or date-time, such as 2026-11-21 or 2026-11-21T09:30:00Z, got "yesterday".',
    )
  })

  it('[ENV-09] may be unknown, unless unknownParameters is 422', () => {
    const check = (unknownParameters: 'ignored' | '422', ...names: string[]) =>
      refuseUnknown({ ...DEFAULT_UNSPECIFIED, unknownParameters }, names, ['page', 'since'])
    expect(check('ignored', 'colour')).toBeUndefined()
    expect(check('422', 'since', 'page')).toBeUndefined()
    expect(() => check('422', 'page', 'colour')).toThrow(
      expect.objectContaining({ status: 422, details: { field: 'colour' } }),
    )
  })

  it('[ERR-01] are decoded, names and values', () => {
    expect([...parseQuery('a%20b+c=d%20e+f=g&h')]).toEqual([
      ['a b c', 'd e f=g'],
      ['h', ''],
    ])
    expect(() => parseQuery('a=%zz')).toThrow('The query contains invalid percent-encoding.')
    expect(() => parseQuery('%zz')).toThrow('The query contains invalid percent-encoding.')
  })

  it('[ERR-03] are quoted in a line', () => {
    expect(quote('x'.repeat(58))).toBe(`"${'x'.repeat(58)}"`)
    expect(quote('x'.repeat(59))).toBe(`"${'x'.repeat(59)}…`)
    expect([quote(undefined), quote('a\n')]).toEqual(['undefined', '"a\\n"'])
  })
})
