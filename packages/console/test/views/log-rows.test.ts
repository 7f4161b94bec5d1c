import type { Delivery } from '@formwire/contract/control'
import { describe, expect, it } from 'vitest'
import { outcomesText, outcomeText } from '../../src/views/delivery/outcome.ts'
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
