import { describe, expect, it } from 'vitest'
import { healthOf } from '../../src/views/endpoint-health.ts'
import { delivery } from '../delivery.ts'

const ended = (id: string, status: 'delivered' | 'failed', duration_ms: number) =>
  delivery(id, {
    status,
    duration_ms,
    attempts: 1,
    error: status === 'failed' ? 'timeout' : null,
    http_status: status === 'failed' ? null : 200,
  })

describe('the health of an endpoint', () => {
  it('counts outcomes, and gives the success rate of what has ended', () => {
    const health = healthOf([
      delivery('d'),
      ended('c', 'delivered', 30),
      ended('b', 'failed', 10_000),
      ended('a', 'delivered', 10),
    ])
    expect(health).toEqual({
      delivered: 2,
      failed: 1,
      pending: 1,
      successRate: 2 / 3,
      p50: 30,
      p95: 10_000,
      lastError: undefined,
    })
  })

  it('names the last error unless a later delivery succeeded', () => {
    const failure = ended('b', 'failed', 10)
    expect(healthOf([delivery('c'), failure, ended('a', 'delivered', 10)]).lastError).toBe(failure)
    expect(healthOf([ended('c', 'delivered', 10), failure]).lastError).toBeUndefined()
  })

  it('has no rate and no durations before the first attempt', () => {
    expect(healthOf([])).toMatchObject({ successRate: undefined, p50: undefined, p95: undefined })
  })
})
