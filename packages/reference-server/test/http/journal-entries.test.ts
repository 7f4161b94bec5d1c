import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../src/domain/key.ts'
import { createRequestIds, Journal } from '../../src/http/journal.ts'
import { elapsedMs } from '../../src/real-timers.ts'

const RECEIVED_AT = Date.UTC(2026, 10, 21, 9, 30)

type Added = Parameters<Journal['add']>

const handled = (
  path: string,
  { headers = {}, ...request }: { headers?: Record<string, string>; query?: string; method?: string } = {},
  response: Omit<Added[2], 'headers'> = { status: 200, body: '{}' },
  key?: ApiKey,
): { request: Added[0]; response: Added[2]; key: ApiKey | undefined } => ({
  request: {
    method: 'GET',
    path,
    query: '',
    address: '10.0.0.1',
    ...request,
    headers: { get: (name) => headers[name] },
  },
  response: { headers: {}, ...response },
  key,
})

function createJournal(capacity?: number) {
  const requestIds = createRequestIds({ bytes: (length) => new Uint8Array(length) })
  const journal = new Journal(requestIds, capacity)
  const add = (...entry: Parameters<typeof handled>) => {
    const { request, response, key } = handled(...entry)
    const requestNumber = requestIds.next()
    journal.add(
      request,
      { requestNumber, receivedAt: RECEIVED_AT, key, startedMs: elapsedMs(), fault: undefined },
      response,
    )
  }
  const paths = () => journal.list().map(({ path }) => path)
  return { journal, add, paths }
}

const KEY = { id: 7, prefix: 'svc_ThisIs' } as ApiKey

describe('an entry of the journal', () => {
  it('has the request, its key and its status', () => {
    const { journal, add } = createJournal()
    add('/api/v1/me', { query: 'a=1', headers: { 'user-agent': 'client/1' } }, undefined, KEY)
    add('/api/v1/me')
    const entry = {
      number: 2,
      request_id: 'req_00000000000002',
      method: 'GET',
      path: '/api/v1/me',
      query: '',
      status: 200,
      key_id: null,
      key_prefix: null,
      address: '10.0.0.1',
      user_agent: null,
      error: null,
      received_at: '2026-11-21T09:30:00.000Z',
      duration_ms: expect.any(Number),
      fault: null,
    }
    const first = { number: 1, request_id: 'req_00000000000001', query: 'a=1', user_agent: 'client/1' }
    expect(journal.list()).toEqual([entry, { ...entry, ...first, key_id: 7, key_prefix: 'svc_ThisIs' }])
  })

  const body = (message: unknown, code: unknown = 'not_found') => JSON.stringify({ error: { code, message } })

  it.each<[string, Parameters<typeof handled>[2], string | undefined]>([
    ['an error', { status: 400, body: body('Not found.') }, 'Not found.'],
    ['no error', { status: 399, body: body('Not found.') }, undefined],
    ['4,000 characters', { status: 404, body: body('x'.repeat(3_957)) }, 'x'.repeat(3_957)],
    ['4,001 characters', { status: 404, body: body('x'.repeat(3_958)) }, undefined],
    ['bytes', { status: 502, body: Buffer.from(body('Not found.')) }, undefined],
    ['other text', { status: 502, body: '<h1>502</h1>' }, undefined],
    ['nothing', { status: 502, body: null }, undefined],
    ['another code', { status: 502, body: body('Not found.', 7) }, undefined],
    ['another message', { status: 502, body: body(7) }, undefined],
  ])('has the error of a response with %s', (_, response, message) => {
    const { journal, add } = createJournal()
    add('/api/v1/me', {}, response)
    const error = message === undefined ? null : { code: 'not_found', message }
    expect(journal.list()[0]?.error).toEqual(error)
  })

  it('[AUTH-02] has only the prefixes of keys in an error', () => {
    const { journal, add } = createJournal()
    add('/', {}, { status: 422, body: body('Got svc_ThisIsNoRealKey.', 'svc_ThisIsNoRealKey') })
    expect(journal.list()[0]?.error).toEqual({ code: 'svc_ThisIs…', message: 'Got svc_ThisIs….' })
  })

  it.each([
    ['svc_0123456789', 'svc_012345…'],
    ['SVC_ABCDEFGHIJ', 'SVC_ABCDEF…'],
    ['%73%76%63%5f%41123456789', 'svc_A12345…'],
    ['%53%56%43%5F0123456789', 'SVC_012345…'],
    ['%2573%2576%2563%255f%2541123456789', 'svc_A12345…'],
    ['%252573%252576%252563%25255f%252541123456789', 'svc_A12345…'],
    [`svc_01%${'25'.repeat(499)}3223456`, 'svc_012234…'],
    ['svc_%30%39%410%4f1%502%5a', 'svc_09A0O1…'],
    ['svc_%610%6f1%702%7a%35%2535', 'svc_a0o1p2…'],
    ['svc_0123456789%2f%30', 'svc_012345…%2f%30'],
    ['svc_0123456789%40', 'svc_012345…%40'],
    ['svc_0123456789%5b', 'svc_012345…%5b'],
    ['svc_0123456789%60', 'svc_012345…%60'],
    ['svc_0123456789%7b', 'svc_012345…%7b'],
    ['svc_0123456789-svc_9876543210', 'svc_012345…-svc_987654…'],
    ['svc-0123456789', 'svc-0123456789'],
    ['svc%5e0123456789', 'svc%5e0123456789'],
    ['%63vc_0123456789', '%63vc_0123456789'],
    ['s%66c_0123456789', 's%66c_0123456789'],
    ['sv%53_0123456789', 'sv%53_0123456789'],
    ['svc_', 'svc_'],
    ['svc_012345', 'svc_012345'],
    ['svc_%30123456', 'svc_012345…'],
    ['a=whsec_0&b=1', 'a=whsec_…'],
    ['%77%68%73%65%63%5F0', 'whsec_…'],
    ['\\u0057\\u0048sec\\u005f\\u0030', 'whsec_…'],
    ['https://ann:p%2Fw@h/', 'https://…@h/'],
    ['https%3A%2F%2Fal%3Ap%252Fw%40h%2F', 'https%3A%2F%2F…@h%2F'],
    ['https%253A%252F%252Fal%253Apw%2540h%252F', 'https%253A%252F%252F…@h%252F'],
    ['https:\\/\\/ann:pw@h', 'https:\\/\\/…@h'],
    ['https:\\\\/\\\\/ann:pw@h', 'https:\\\\/\\\\/…@h'],
    ['https\\u003a\\u002f\\u002fann:pw\\u0040h', 'https\\u003a\\u002f\\u002f…@h'],
    ['https://h/@a', 'https://h/@a'],
  ])('[AUTH-02] shows %s as %s', (query, shown) => {
    const { journal, add } = createJournal()
    add('/api/v1/me', { query })
    expect(journal.list()[0]?.query).toBe(shown)
  })
})

describe('the journal', () => {
  it('keeps the latest requests, newest first, without anything of those before', () => {
    const { journal, add, paths } = createJournal(2)
    add('/1', { query: 'a', headers: { 'user-agent': 'one' } }, { status: 404, body: '{}' }, KEY)
    expect(paths()).toEqual(['/1'])
    add('/2')
    add('/3')
    expect(paths()).toEqual(['/3', '/2'])
    expect(journal.list()[0]).toEqual({
      ...journal.list()[1],
      number: 3,
      duration_ms: expect.any(Number),
      request_id: 'req_00000000000003',
      path: '/3',
    })
  })

  it('keeps 1,000 requests by default', () => {
    const { journal, add } = createJournal()
    for (let number = 1; number <= 1_001; number += 1) add(`/${number}`)
    const entries = journal.list()
    expect([entries.length, entries[0]?.path, entries[999]?.path]).toEqual([1_000, '/1001', '/2'])
  })

  it('may keep none', () => {
    const { journal, add } = createJournal(0)
    add('/2')
    expect(journal.list()).toEqual([])
  })

  it('counts every request, and a clearing, in its revision', () => {
    const { journal, add, paths } = createJournal(2)
    const revisions = [journal.revision]
    for (const step of [
      () => add('/1'),
      () => add('/2'),
      () => add('/3'),
      () => journal.clear(),
      () => add('/4'),
    ]) {
      step()
      revisions.push(journal.revision)
    }
    expect(revisions).toEqual([0, 1, 2, 3, 4, 5])
    expect(paths()).toEqual(['/4'])
    expect(journal.list()[0]?.number).toBe(1)
  })
})
