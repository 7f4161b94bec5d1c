import { describe, expect, it } from 'vitest'
import { healthText } from '../../src/format.ts'
import { figuresOf, latestOf } from '../../src/views/figures.ts'
import { delivery } from '../delivery.ts'

const ended = (id: string, status: 'delivered' | 'failed', duration_ms: number) =>
  delivery(id, {
    status,
    duration_ms,
    attempts: 1,
    error: status === 'failed' ? 'timeout' : null,
    http_status: status === 'failed' ? null : 200,
  })

describe('the figures of a log', () => {
  it('count outcomes, and give the success rate of what was attempted', () => {
    const log = [
      delivery('e'),
      delivery('d', { attempts: 2, error: 'refused', duration_ms: 1 }),
      ended('c', 'delivered', 30),
      ended('b', 'failed', 10_000),
      ended('a', 'delivered', 10),
    ]
    expect(figuresOf(log)).toEqual({
      delivered: 2,
      failed: 1,
      pending: 2,
      successRate: 0.5,
      p50: 10,
      p95: 10_000,
    })
  })

  it('have no rate and no durations before the first attempt', () => {
    expect(figuresOf([])).toMatchObject({ successRate: null, p50: undefined, p95: undefined })
  })
})

describe('the last response of an endpoint', () => {
  const now = { since: null, not_sent: 0 }
  const retried = delivery('b', { attempts: 3, error: 'http_404', http_status: 404 })
  const newer = delivery('c', {
    ...ended('c', 'delivered', 10),
    created_at: '2026-11-21T12:03:00.000Z',
  })

  it('is of the latest attempt, also of an older delivery', () => {
    expect(latestOf([newer, retried], { ...now, state: 'failing' })).toBe(retried)
    expect(latestOf([newer, retried], { ...now, state: 'paused' })).toBe(retried)
  })

  it('never contradicts the health', () => {
    // Retried before it was due, so its last attempt is not the latest one.
    expect(latestOf([newer, retried], { ...now, state: 'healthy' })).toBe(newer)
    expect(latestOf([retried], { ...now, state: 'healthy' })).toBeUndefined()
    expect(latestOf([delivery('d')], { ...now, state: 'unused' })).toBeUndefined()
  })
})

describe('the health of an endpoint', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const since = '2026-11-19T10:00:00Z'
  it.each([
    ['healthy', { state: 'healthy', since: null, not_sent: 0 }],
    ['failing since 19 Nov', { state: 'failing', since, not_sent: 0 }],
    ['paused since 19 Nov (1,200 not sent)', { state: 'paused', since, not_sent: 1_200 }],
    ['failing since 10:00:03', { state: 'failing', since: '2026-11-21T10:00:03Z', not_sent: 0 }],
    ['paused', { state: 'paused', since: null, not_sent: 0 }],
    ['never used', { state: 'unused', since: null, not_sent: 0 }],
  ] as const)('reads %s', (text, health) => {
    expect(healthText(health, now)).toBe(text)
  })
})
