import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateLimiter } from '../../src/policy/rate-limit.ts'

const sliding = { rateWindow: 'sliding', refusedRequestCounts: 'false' } as const

describe('RateLimiter', () => {
  it('[RATE-01] [RATE-03] allows up to the limit in any 60 seconds', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9000), { maxLength: 200 }), (pauses) => {
        const limiter = new RateLimiter<string>(5, sliding)
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

  it('[RATE-02] limits the number of clients and forgets the one counted longest ago first', () => {
    const limiter = new RateLimiter<string>(1, sliding, 1000)
    for (let i = 0; i < 100_000; i += 1) limiter.take(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 0)
    expect(limiter.size).toBe(1000)
    expect(limiter.take('10.1.134.159', 1)).toBe(false)
    expect(limiter.take('10.0.0.0', 1)).toBe(true)
  })

  it('[RATE-02] forgets clients whose minute is over when it counts others', () => {
    const limiter = new RateLimiter<number>(3, sliding)
    for (let i = 0; i < 500; i += 1) limiter.take(i, i)
    limiter.take(1000, 120_000)
    expect(limiter.size).toBe(1)
  })

  it.each(['sliding', 'fixed'] as const)(
    '[RATE-03] a %s window serves again after 60 seconds, also when the clock was put back',
    (rateWindow) => {
      const limiter = new RateLimiter<string>(2, { ...sliding, rateWindow })
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

  it.each(['sliding', 'fixed'] as const)(
    '[RATE-03] serves again after a minute of silence where refused requests count, in a %s window',
    (rateWindow) => {
      const limiter = new RateLimiter<string>(2, { rateWindow, refusedRequestCounts: 'true' })
      const at = 1_700_000_040_000
      const served = [0, 0, 30_000, 59_999].map((later) => limiter.take('a', at + later))
      expect(served).toEqual([true, true, false, false])
      expect(limiter.take('a', at + 60_000)).toBe(rateWindow === 'fixed')
      expect(limiter.take('a', at + 120_000)).toBe(true)
    },
  )

  it('[RATE-03] remembers a client that keeps sending requests where refused ones count', () => {
    const limiter = new RateLimiter<string>(1, { ...sliding, refusedRequestCounts: 'true' })
    expect(limiter.take('a', 0)).toBe(true)
    for (let now = 50_000; now <= 500_000; now += 50_000) {
      expect(limiter.take('a', now)).toBe(false)
      limiter.take(`other ${now}`, now)
    }
  })

  it('allows everything without a limit and nothing with a limit of 0', () => {
    const open = new RateLimiter<string>(Number.POSITIVE_INFINITY, sliding)
    for (let i = 0; i < 1000; i += 1) expect(open.take('a', 0)).toBe(true)
    expect(open.size).toBe(0)
    expect(new RateLimiter<string>(0, sliding).take('a', 0)).toBe(false)
  })

  it('[RATE-02] orders clients by when they were last counted, ignoring refusals', () => {
    const limiter = new RateLimiter<string>(2, sliding, 2)
    limiter.take('a', 0)
    limiter.take('b', 500)
    limiter.take('a', 2000)
    // Refused: it stays where it is in the order.
    expect(limiter.take('a', 2400)).toBe(false)
    limiter.take('c', 2500)
    expect([limiter.size, limiter.fits('a', 2500), limiter.take('b', 2600)]).toEqual([2, false, true])

    const refused = new RateLimiter<string>(1, sliding, 2)
    refused.take('a', 0)
    refused.take('b', 1)
    expect(refused.take('a', 2000)).toBe(false)
    refused.take('c', 2001)
    expect([refused.fits('a', 2002), refused.fits('b', 2002)]).toEqual([true, false])
  })

  it('[RATE-03] counts no refused request in a fixed window and restarts each minute', () => {
    const limiter = new RateLimiter<string>(2, { ...sliding, rateWindow: 'fixed' })
    const taken = [0, 1, 2, 59_999, 60_000, 60_001, 60_002].map((at) => limiter.take('a', at))
    expect(taken).toEqual([true, true, false, false, true, true, false])
    limiter.take('c', 0)
    expect([limiter.fits('c', 1), limiter.take('c', 2), limiter.fits('c', 3)]).toEqual([true, true, false])
    expect([limiter.fits('b', 0), limiter.fits('a', 60_003), limiter.fits('a', 0)]).toEqual([
      true,
      false,
      true,
    ])
  })
})
