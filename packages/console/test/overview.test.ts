import { describe, expect, it } from 'vitest'
import { duration } from '../src/format.ts'
import { axisMax, successRate } from '../src/views/figures.ts'

describe('the figures of the overview', () => {
  it('count the deliveries in the success rate that were attempted, also while they are retried', () => {
    expect(successRate({ delivered: 3, failed: 1, retrying: 0 })).toBe(0.75)
    expect(successRate({ delivered: 3, failed: 0, retrying: 9 })).toBe(0.25)
    expect(successRate({ delivered: 0, failed: 0, retrying: 0 })).toBeNull()
  })

  it('show milliseconds, then seconds', () => {
    expect([null, 0.4, 84.4, 999, 1_240, 12_400].map(duration)).toEqual([
      '–',
      '<1 ms',
      '84 ms',
      '999 ms',
      '1.2 s',
      '12 s',
    ])
  })

  it.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [11, 20],
    [21, 50],
    [99, 100],
    [5_001, 10_000],
  ])('have an axis for %d deliveries that ends at %d', (largest, end) => {
    expect(axisMax(largest)).toBe(end)
  })
})
