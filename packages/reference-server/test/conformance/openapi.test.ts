import { describe, expect, it } from 'vitest'
import { undocumented } from './openapi.ts'

const json = new Headers({ 'content-type': 'application/json' })
const answer = (method: string, path: string, status: number, body: unknown, headers = json) =>
  undocumented({ method, path, status, headers, text: JSON.stringify(body) })

const key = { id: 1, name: 'Main', prefix: 'svc_abcdef', scope: 'write' }
const user = { id: 1, name: 'Ada', email: 'ada@example.com' }
const workspace = { id: 1, name: 'Here', role: 'owner' }

/** Every conformance case is held to openapi.json (rest.test.ts): here is what that would find. */
describe('an answer held to openapi.json', () => {
  it('passes when it is as documented, with fields that a later version may add', () => {
    expect(answer('GET', '/me', 200, { data: { user, workspace, key, more: {} }, more: 1 })).toBeUndefined()
    expect(
      answer('GET', '/nothing', 404, { error: { code: 'not_found', message: 'Not found.' } }),
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
    ['another status', 418, {}, json, 'the operation has no such status'],
    ['a missing header', 401, {}, json, 'the header WWW-Authenticate is missing'],
    [
      'another content type',
      200,
      {},
      new Headers({ 'content-type': 'text/html' }),
      'the content type is text/html',
    ],
  ])('is refused for %s', (_what, status, body, headers, message) => {
    expect(answer('GET', '/me', status, body, headers)).toContain(message)
  })

  it('is refused for an error without its envelope where there is no operation', () => {
    expect(answer('GET', '/nothing', 404, { message: 'Not found.' })).toContain("required property 'error'")
  })
})
