import { describe, expect, it } from 'vitest'
import { isPreflight, preflightResponse } from '../../src/http/cors.ts'
import type { IncomingMessage } from '../../src/http/message.ts'

const request = (method: string, headers: Record<string, string>) =>
  ({ method, headers: { get: (name: string) => headers[name] } }) as unknown as IncomingMessage

const ASKS = { origin: 'https://app.example', 'access-control-request-method': 'PATCH' }

describe('a CORS preflight', () => {
  it('[ENV-08] is an OPTIONS request with an origin and a requested method', () => {
    expect(isPreflight(request('OPTIONS', ASKS))).toBe(true)
    expect(isPreflight(request('GET', ASKS))).toBe(false)
    expect(isPreflight(request('OPTIONS', { origin: ASKS.origin }))).toBe(false)
    expect(isPreflight(request('OPTIONS', { 'access-control-request-method': 'PATCH' }))).toBe(false)
  })

  it('[ENV-08] allows the methods of the API and the requested headers by name', () => {
    const headers = {
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
      'access-control-max-age': '600',
    }
    expect(preflightResponse(request('OPTIONS', ASKS))).toEqual({ status: 204, headers, body: null })
    const asksHeaders = { ...ASKS, 'access-control-request-headers': 'authorization, x-trace' }
    expect(preflightResponse(request('OPTIONS', asksHeaders)).headers).toEqual({
      ...headers,
      'access-control-allow-headers': 'authorization, x-trace',
    })
  })
})
