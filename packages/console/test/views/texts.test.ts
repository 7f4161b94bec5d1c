import type { Delivery } from '@formwire/contract/control'
import { describe, expect, it } from 'vitest'
import { healthText } from '../../src/format.ts'
import { attemptsBetween, attemptsText } from '../../src/views/advance-outcome.ts'
import { outcomesText, outcomeText } from '../../src/views/delivery/outcome.ts'
import { pausedText, successRate, tallyText } from '../../src/views/figures.ts'
import { bannerText } from '../../src/views/server/fault-text.ts'
import { delivery } from '../delivery.ts'

describe('the outcome of a delivery', () => {
  const failed = (http_status: number, receiver_answer: string | null): Partial<Delivery> => ({
    attempts: 1,
    error: `http_${http_status}`,
    http_status,
    receiver_answer,
  })
  it.each<[string, Partial<Delivery>]>([
    ['not sent yet', {}],
    ['87 ms', { status: 'delivered', attempts: 1, http_status: 200, duration_ms: 87 }],
    ['deploy in progress', failed(503, 'deploy in progress\nback at 12')],
    ['deploy in progress', failed(503, '{"code": 7, "error": "deploy in progress", "cut off')],
    ['Bad Gateway', failed(502, '<html><head>\n<title>502 Bad Gateway</title></head>')],
    ['[1, 2]', failed(500, '[1, 2]')],
    ['no response body', failed(500, '')],
    [`${'x'.repeat(80)}…`, failed(500, 'x'.repeat(300))],
    ['redirects are not followed', failed(302, null)],
    ['nothing is listening', { attempts: 2, error: 'refused' }],
    ['the receiver did not respond within the deadline', { attempts: 1, error: 'timeout' }],
    ['the TLS handshake failed', { attempts: 1, error: 'tls' }],
    [
      'maintenance · endpoint was paused',
      { ...failed(503, 'maintenance'), status: 'failed', note: 'The endpoint is paused. Resume it.' },
    ],
    ['delivery was cancelled', { status: 'failed', note: 'The delivery was cancelled. Replay it.' }],
  ])('reads %s', (text, changes) => {
    expect(outcomeText(delivery('one', changes))).toBe(text)
  })
})

it('counts deliveries by the error of their latest attempt', () => {
  const ended = [
    delivery('a', { error: null }),
    delivery('b', { error: 'http_503' }),
    delivery('c', { error: null }),
    delivery('d', { error: 'refused' }),
  ]
  expect(outcomesText(ended, 4)).toBe('2 delivered, 1 http_503, 1 refused')
  expect(outcomesText(ended.slice(1, 2), 3)).toBe('1 http_503, 2 without a result yet')
})

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

it('says what a fault does, how often and where', () => {
  const texts = [
    { status: 503, times: 3 },
    { status: 503, method: 'POST', path: '/f/*' },
    { delay_ms: 3_000, times: 1, method: 'GET' },
    { reset: true, probability: 0.25 },
  ].map(bannerText)
  expect(texts).toEqual([
    '503 for the next 3 requests, any path',
    '503 for all requests, POST /f/*',
    'delay 3000 ms for the next request, GET any path',
    'reset before for 25% of all requests, any path',
  ])
})
