import { describe, expect, it } from 'vitest'
import {
  CheckpointError,
  Formwire,
  isOutage,
  LeaseLostError,
  PaginationError,
  UsageError,
} from '../../src/index.ts'
import { type FakeResponse, fakeTransport, systemError } from '../support/fake-transport.ts'

const html = (status: number, headers?: Record<string, string>): FakeResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: '<h1>No</h1>',
})
const envelope = (status: number, code: string): FakeResponse => ({
  status,
  body: { error: { code, message: 'No.' } },
})

/** Returns the error of a request that gets this response. */
async function errorOf(step: FakeResponse | Error): Promise<Error> {
  const transport = fakeTransport(step)
  const formwire = new Formwire({ apiKey: 'svc_k', transport, maxRetries: 0, rateLimit: false })
  return await formwire.forms.get('abcdefghijkl').then(
    () => new Error('no error'),
    (error: Error) => error,
  )
}

describe('an outage', () => {
  it.each<[string, boolean, FakeResponse | Error]>([
    ...[302, 400, 401, 403, 404, 408, 410, 421, 422, 500, 502].map(
      (status): [string, boolean, FakeResponse] => [`a page with ${status}`, true, html(status)],
    ),
    ['a 404 without a body', true, { status: 404 }],
    ['a 404 with other JSON', true, { status: 404, body: { message: 'no route' } }],
    ['a 401 that asks for a password', true, html(401, { 'www-authenticate': 'Basic realm="x"' })],
    ['a page with 200', true, html(200)],
    ['an empty success', true, { status: 200 }],
    ['a 429 without a body', true, { status: 429 }],
    ['a 500 of the service', true, envelope(500, 'server_error')],
    ['a lost connection', true, systemError('ECONNRESET')],
    [
      'a 401 of the service without a body',
      false,
      { status: 401, headers: { 'www-authenticate': 'Bearer' } },
    ],
    ['a 401 with several challenges', false, html(401, { 'www-authenticate': 'Basic realm="x", Bearer' })],
    ['a 401 of the service', false, envelope(401, 'unauthorized')],
    ['a 403 of the service', false, envelope(403, 'forbidden')],
    ['a 404 of the service', false, envelope(404, 'not_found')],
    ['a 422 of the service', false, envelope(422, 'validation_failed')],
  ])('[ENV-03, AUTH-01] %s: %j', async (_name, expected, step) => {
    expect(isOutage(await errorOf(step))).toBe(expected)
  })

  it('includes an unavailable store, but neither misuse nor a lost lease', () => {
    expect(isOutage(new CheckpointError('x', { reason: 'unavailable' }))).toBe(true)
    for (const error of [
      new CheckpointError('x'),
      new UsageError('x'),
      new LeaseLostError('x'),
      new PaginationError('x'),
      new Error('x'),
      undefined,
    ])
      expect(isOutage(error)).toBe(false)
  })

  it('is named by its status and media type; class, status and code stay', async () => {
    expect(await errorOf(html(404))).toMatchObject({
      name: 'NotFoundError',
      status: 404,
      code: 'not_found',
      envelope: false,
      reason: 'a page that is not from the service: 404, text/html; check baseUrl and proxies.',
    })
    expect(await errorOf({ status: 410 })).toMatchObject({
      code: 'http_410',
      reason: 'a page that is not from the service: 410, without a content type; check baseUrl and proxies.',
    })
    expect(await errorOf({ status: 401, headers: { 'www-authenticate': 'bearer' } })).toMatchObject({
      name: 'UnauthorizedError',
      reason: 'The key is missing, wrong or revoked.',
    })
  })
})
