import { describe, expect, it } from 'vitest'
import { duration } from '../src/format.ts'
import { successRate, tallyText } from '../src/views/figures.ts'

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

  it('count deliveries by outcome, without those that have none', () => {
    expect(tallyText({ delivered: 1_200, pending: 0, failed: 2 })).toBe('1,200 delivered, 2 failed')
    expect(tallyText({ delivered: 0, pending: 0, failed: 0 })).toBe('no deliveries')
  })
})
