import { expect, it } from 'vitest'
import { bannerText } from '../../src/views/server/fault-text.ts'

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
