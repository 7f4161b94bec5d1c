import { describe, expect, it } from 'vitest'
import { attemptsBetween, attemptsText } from '../../src/views/advance-outcome.ts'
import { delivery } from '../delivery.ts'

describe('what an advance has done', () => {
  it('counts its attempts, by delivery', () => {
    const before = [delivery('a', { attempts: 1 }), delivery('b', { attempts: 2 }), delivery('c')]
    const after = [
      delivery('new', { attempts: 1, status: 'delivered' }),
      delivery('a', { attempts: 3, status: 'delivered' }),
      delivery('b', { attempts: 2, status: 'failed' }),
      delivery('c', { attempts: 1 }),
    ]
    expect(attemptsBetween(before, after)).toEqual({ attempts: 4, delivered: 2, ids: ['new', 'a', 'c'] })
  })

  it.each([
    [0, 0, 'no attempt was due'],
    [1, 1, '1 attempt, 1 delivered'],
    [3, 2, '3 attempts, 2 delivered, 1 failed'],
    [2, 0, '2 attempts, 2 failed'],
  ])('is said for %i attempts with %i delivered', (attempts, delivered, text) => {
    expect(attemptsText({ attempts, delivered, ids: [] })).toBe(text)
  })
})
