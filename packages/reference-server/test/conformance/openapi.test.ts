import { describe, expect, it } from 'vitest'
import { undocumented } from './openapi.ts'

const json = new Headers({ 'content-type': 'application/json' })
const compare = (method: string, path: string, status: number, body: unknown, headers = json) =>
  undocumented({ method, path, status, headers, text: JSON.stringify(body) })

const key = { id: 1, name: 'Main', prefix: 'svc_abcdef', scope: 'write' }
const user = { id: 1, name: 'Ada', email: 'ada@example.com' }
const workspace = { id: 1, name: 'Here', role: 'owner' }

/** every-transport.cases.test.ts compares every response with openapi.json; these tests show what that detects. */
describe('a response compared with openapi.json', () => {
  it('passes if it is as documented, also with additional fields', () => {
    expect(compare('GET', '/me', 200, { data: { user, workspace, key, more: {} }, more: 1 })).toBeUndefined()
    expect(
      compare('GET', '/nothing', 404, { error: { code: 'not_found', message: 'Not found.' } }),
    ).toBeUndefined()
  })

  it.each([
    ['a missing field', 200, { data: { user, workspace } }, json, "/data must have required property 'key'"],
    [
      'a field of another type',
      200,
      { data: { user, workspace, key: { ...key, id: '1' } } },
      json,
      '/data/key/id must be integer',
    ],
    ['no envelope', 200, { user, workspace, key }, json, "the body must have required property 'data'"],
    ['another status', 418, {}, json, 'the operation does not document this status'],
    ['a missing header', 401, {}, json, 'the header WWW-Authenticate is missing'],
    [
      'another content type',
      200,
      {},
      new Headers({ 'content-type': 'text/html' }),
      'the content type is text/html',
    ],
  ])('is rejected for %s', (_what, status, body, headers, message) => {
    expect(compare('GET', '/me', status, body, headers)).toContain(message)
  })

  it('is rejected for an error without its envelope on an unknown path', () => {
    expect(compare('GET', '/nothing', 404, { message: 'Not found.' })).toContain("required property 'error'")
  })
})
