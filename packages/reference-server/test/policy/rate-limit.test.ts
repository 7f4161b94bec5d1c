import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateLimiter } from '../../src/policy/rate-limit.ts'

describe('RateLimiter', () => {
  it('[RATE-01] [RATE-03] serves no more than the limit in any 60 seconds, and whatever fits', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9000), { maxLength: 200 }), (pauses) => {
        const limiter = new RateLimiter<string>(5, 'sliding')
        const served: number[] = []
        let now = 1_700_000_000_000
        for (const pause of pauses) {
          now += pause
          const within = served.filter((at) => at > now - 60_000).length
          expect(limiter.take('key', now)).toBe(within < 5)
          if (within < 5) served.push(now)
        }
      }),
      { numRuns: Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 100) },
    )
  })

  it('[RATE-02] keeps its memory bounded, whoever comes, and forgets the one counted longest ago first', () => {
    const limiter = new RateLimiter<string>(1, 'sliding', 1000)
    for (let i = 0; i < 100_000; i += 1) limiter.take(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 0)
    expect(limiter.size).toBe(1000)
    expect(limiter.take('10.1.134.159', 1)).toBe(false)
    expect(limiter.take('10.0.0.0', 1)).toBe(true)
  })

  it('[RATE-02] forgets clients whose minute is over when others come', () => {
    const limiter = new RateLimiter<number>(3, 'sliding')
    for (let i = 0; i < 500; i += 1) limiter.take(i, i)
    limiter.take(1000, 120_000)
    expect(limiter.size).toBe(1)
  })

  it.each(['sliding', 'fixed'] as const)(
    '[RATE-03] a %s window serves again after 60 seconds, also when the clock was put back',
    (shape) => {
      const limiter = new RateLimiter<string>(2, shape)
      const at = 1_700_000_030_000
      expect([limiter.take('a', at), limiter.take('a', at), limiter.take('a', at)]).toEqual([
        true,
        true,
        false,
      ])
      expect(limiter.fits('a', at)).toBe(false)
      expect(limiter.take('a', at + 60_000)).toBe(true)
      expect(limiter.take('a', at - 3_600_000)).toBe(true)
    },
  )

  it('lets everything through without a limit and nothing with a limit of 0', () => {
    const open = new RateLimiter<string>(Number.POSITIVE_INFINITY, 'sliding')
    for (let i = 0; i < 1000; i += 1) expect(open.take('a', 0)).toBe(true)
    expect(open.size).toBe(0)
    expect(new RateLimiter<string>(0, 'sliding').take('a', 0)).toBe(false)
  })
})
