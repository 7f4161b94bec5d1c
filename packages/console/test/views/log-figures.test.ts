import { describe, expect, it } from 'vitest'
import { healthText } from '../../src/format.ts'
import { pausedText, successRate, tallyText } from '../../src/views/figures.ts'

describe('the figures of a log', () => {
  const log = { delivered: 2, pending: 3, retrying: 1, failed: 1 }
  const none = { delivered: 0, pending: 0, retrying: 0, failed: 0 }

  it('count the deliveries in the success rate that were attempted, also while they are retried', () => {
    expect(successRate(log)).toBe(0.5)
    expect(successRate({ ...none, pending: 1 })).toBeNull()
  })

  it('count deliveries by outcome, without those that have none', () => {
    expect(tallyText(log)).toBe('2 delivered, 3 pending, 1 failed')
    expect(tallyText({ ...none, delivered: 1_200 })).toBe('1,200 delivered')
    expect(tallyText(none)).toBe('no deliveries')
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
