import { describe, expect, it } from 'vitest'
import { bannerText, targetText, timesText } from '../../src/views/server/fault-text.ts'

const fault = { id: 1, met: 0 }

describe('the text of a fault', () => {
  it('names the requests that it applies to', () => {
    expect([
      targetText({ ...fault, method: 'GET', path: '/api/v1/me' }),
      targetText({ ...fault, path: '/f/*' }),
      targetText({ ...fault, method: 'POST' }),
      targetText(fault),
    ]).toEqual(['GET /api/v1/me', '/f/*', 'all POST requests', 'all requests'])
  })

  it('says how often it still applies', () => {
    expect([
      timesText(fault),
      timesText({ ...fault, times: 1 }),
      timesText({ ...fault, times: 3 }),
      timesText({ ...fault, probability: 0.25 }),
    ]).toEqual(['all requests', 'the next request', 'the next 3 requests', '25% of all requests'])
  })

  it('says in the banner what it does, how often and where', () => {
    expect([
      bannerText({ ...fault, status: 503, times: 3 }),
      bannerText({ ...fault, status: 503, method: 'POST', path: '/f/*' }),
    ]).toEqual(['503 for the next 3 requests, any path', '503 for all requests, POST /f/*'])
  })
})
