import { describe, expect, it } from 'vitest'
import { healthText } from '../../src/format.ts'
import { latestOf, p95, pausedText, successRate, tallyText } from '../../src/views/figures.ts'
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
  const log = [
    delivery('e'),
    delivery('d', { attempts: 2, error: 'refused', duration_ms: 1 }),
    ended('c', 'delivered', 30),
    ended('b', 'failed', 10_000),
    ended('a', 'delivered', 10),
  ]

  it('count the deliveries in the success rate that were attempted, also while they are retried', () => {
    expect(successRate(log)).toBe(0.5)
    expect(successRate(log.slice(0, 1))).toBeNull()
  })

  it('have the duration that at most one in twenty exceeds, or none', () => {
    expect(p95(log)).toBe(10_000)
    expect(p95([...Array(19).fill(log[4]), log[3]])).toBe(10)
    expect(p95([])).toBeUndefined()
  })

  it('count deliveries by outcome, without those that have none', () => {
    expect(tallyText(log)).toBe('2 delivered, 2 pending, 1 failed')
    expect(tallyText(Array(1_200).fill(log[4]))).toBe('1,200 delivered')
    expect(tallyText([])).toBe('no deliveries')
  })
})

it.each([
  [[], undefined],
  [[['healthy', 0]], undefined],
  [[['paused', 0]], '1 paused'],
  [
    [
      ['paused', 1_200],
      ['failing', 3],
      ['paused', 34],
    ],
    '2 paused · 1,234 not sent',
  ],
] as const)('of the endpoints %j, %s is shown first', (healths, text) => {
  const all = healths.map(([state, not_sent]) => ({ health: { state, since: null, not_sent } }))
  expect(pausedText(all)).toBe(text)
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
