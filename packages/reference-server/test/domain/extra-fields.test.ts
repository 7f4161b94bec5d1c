import { describe, expect, it } from 'vitest'
import { withExtraFields } from '../../src/domain/extra-fields.ts'

describe('fields of later versions', () => {
  const extra = { x_added_later: { note: 'unknown fields are ignored', list: [1, { deep: true }] } }

  it('[ENV-04] are in every object, but not in maps of data', () => {
    expect(withExtraFields({ a: [{ b: 1 }], c: null })).toEqual({
      a: [{ b: 1, ...extra }],
      c: null,
      ...extra,
    })
    expect(withExtraFields({ utm: { source: 'x' }, points: { a: 1 } })).toEqual({
      utm: { source: 'x' },
      points: { a: 1 },
      ...extra,
    })
  })

  it.each(['grid_single', 'grid_multiple', 'matrix_single', 'matrix_multiple'])(
    '[ENV-04] are not in the value of an answer of the type %s',
    (type) => {
      expect(withExtraFields({ type, value: { r1: 'c1' }, more: {} })).toEqual({
        type,
        value: { r1: 'c1' },
        more: extra,
        ...extra,
      })
    },
  )

  it('[ENV-04] are in the value of any other answer', () => {
    expect(withExtraFields({ type: 'address', value: { city: 'Ulm' } })).toEqual({
      type: 'address',
      value: { city: 'Ulm', ...extra },
      ...extra,
    })
  })
})
