import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSeedFactory, type FormwireKit, makeQuestion, startFormwire } from '../../src/testing/index.ts'

const make = await createSeedFactory(5)
const FORM = 'waitingform1'
const SEED = make.seed(make.form({ id: FORM, questions: [makeQuestion('short_text'), makeQuestion('nps')] }))

let kit: FormwireKit
beforeEach(async () => {
  kit = await startFormwire({ seed: SEED, now: '2026-11-21T12:00:00Z' })
})
afterEach(() => kit.close())

const call = (path: string, method = 'GET') =>
  kit.clientOptions.fetch(`http://formwire.test/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${kit.clientOptions.apiKey}` },
  })

const submit = (name: string, nps = 9) =>
  kit.server.app.responses.create(FORM, {
    answers: [
      { question_id: 'short_text', value: name },
      { question_id: 'nps', value: nps },
    ],
    deliver: true,
  })

const message = async (work: () => unknown): Promise<string> => {
  try {
    await work()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}

describe('expectRequest', () => {
  it('gives the latest request that matches, by text, pattern, function and part', async () => {
    await call('/forms?status=closed&page=2')
    await call('/forms?status=draft')
    expect(kit.expectRequest({ path: '/api/v1/forms' }).number).toBe(2)
    expect(kit.expectRequest({ query: { status: /^cl/ } })).toMatchObject({ number: 1, query: { page: '2' } })
    expect(kit.expectRequest({ status: (status: number) => status < 300 }).number).toBe(2)
    expect(kit.expectRequest((request) => request.query.page === '2').number).toBe(1)
    expect(
      kit.expectRequest({ status: expect.any(Number), key_prefix: expect.stringMatching(/^svc_/) }).number,
    ).toBe(2)
    expect(kit.expectRequests({ method: 'GET' }, 2)).toHaveLength(2)
    expect(kit.expectRequests({ method: 'DELETE' }, 0)).toEqual([])
  })

  it('says what came nearest and why it is not it', async () => {
    await call('/forms?status=closed')
    await call('/me')
    const said = await message(() =>
      kit.expectRequest({ method: 'GET', path: '/api/v1/forms', query: { status: 'draft' } }),
    )
    expect(said).toBe(
      [
        'Expected a request that matches. There were 2, the nearest:',
        '  #1 GET /api/v1/forms?status=closed → 200',
        '    query.status: "closed", wanted "draft"',
        '  #2 GET /api/v1/me → 200',
        '    path: "/api/v1/me", wanted "/api/v1/forms"',
        '    query.status: undefined, wanted "draft"',
      ].join('\n'),
    )
  })

  it('says when there was none at all, and how many there are instead', async () => {
    expect(await message(() => kit.expectRequest({}))).toBe(
      'Expected a request that matches. There was none at all.',
    )
    await call('/me')
    await call('/me')
    expect(await message(() => kit.expectRequests({ path: '/api/v1/me' }, 1))).toBe(
      'Expected 1 request that matches, there are 2:\n  #1 GET /api/v1/me → 200\n  #2 GET /api/v1/me → 200',
    )
    expect(await message(() => kit.expectRequests({ path: '/api/v1/you' }, 2))).toContain(
      'Expected 2 requests that match. There were 2, the nearest:',
    )
  })

  it('never shows a key', async () => {
    await call('/me')
    expect(await message(() => kit.expectRequest({ path: 'x' }))).not.toContain(kit.clientOptions.apiKey)
  })
})

describe('waitForRequest', () => {
  it('resolves with a request that comes later', async () => {
    const waiting = kit.waitForRequest({ path: '/api/v1/me' })
    await call('/me')
    expect((await waiting).status).toBe(200)
  })
})

describe('waitForDelivery', () => {
  it('resolves once an entry of any log is as wanted', async () => {
    await kit.connectReceiver(FORM)
    submit('Ada')
    const entry = await kit.waitForDelivery({
      event: 'response.submitted',
      status: 'delivered',
      response_id: 1,
    })
    expect(entry).toMatchObject({ http_status: 200, attempts: 1, payload: { response: { id: 1 } } })
  })

  it('names the nearest miss, and that the clock stands still', async () => {
    kit.receiver.respond('500')
    await kit.connectReceiver(FORM)
    submit('Ada')
    await kit.waitForDelivery({ attempts: 1 })
    const said = await message(() => kit.waitForDelivery({ status: 'delivered' }, { timeoutMs: 1 }))
    expect(said).toMatch(
      /^Waited 1 ms for a delivery that matches\. The clock is manual: what is due later needs server\.clock\.advance\. There were 1, the nearest:\n {2}dlv_\w+ response\.submitted of response 1 to endpoint 1: pending after 1 attempts, next at 2026-11-21T12:01:00\.000Z\n {4}status: "pending", wanted "delivered"$/,
    )
  })
})

describe('waitForResponse', () => {
  it('finds a response by what was answered', async () => {
    submit('Ada', 3)
    submit('Grace', 10)
    const found = await kit.waitForResponse({ answers: [{ question_id: 'short_text', value: 'Ada' }] })
    expect(found).toMatchObject({ id: 1, form_id: FORM, answers: [{ value: 'Ada' }, { value: 3 }] })
    expect((await kit.waitForResponse()).id).toBe(2)
  })

  it('resolves with one that is submitted through the public link meanwhile', async () => {
    const waiting = kit.waitForResponse({ status: 'submitted' })
    const { slug } = kit.server.app.forms.get(FORM)
    await kit.clientOptions.fetch(`http://formwire.test/f/${slug}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        answers: [{ question_id: 'short_text', value: 'Lin' }],
      }),
    })
    expect((await waiting).answers).toMatchObject([{ value: 'Lin' }])
  })

  it('names the nearest miss', async () => {
    submit('Ada')
    const said = await message(() =>
      kit.waitForResponse({ form_id: FORM, answers: [{ value: 'Grace' }] }, { timeoutMs: 1 }),
    )
    expect(said).toContain(
      'There were 1, the nearest:\n  response 1 of form waitingform1: submitted, 2026-11-21T12:00:00.000Z\n',
    )
    expect(said).toContain(
      '    answers: no item matches {"value":"Grace"} (item 0 of what is wanted) among [{"question_id"',
    )
  })
})

describe('a match of an empty object', () => {
  it('is not met by what is no object or is not there', async () => {
    submit('Ada')
    const said = await message(() => kit.waitForResponse({ meta: { nowhere: {} } }, { timeoutMs: 1 }))
    expect(said).toContain('meta.nowhere: undefined, wanted an object')
    await kit.waitForResponse({ meta: { utm: {} } }, { timeoutMs: 1 })
  })
})

describe('a kit with a draw of the unspecified', () => {
  it('says which seed it was in every message', async () => {
    const drawn = await startFormwire({ unspecified: 'random:17' })
    expect(await message(() => drawn.expectRequest({}))).toMatch(/\nRan with unspecified: random:17$/)
    await drawn.close()
  })
})
