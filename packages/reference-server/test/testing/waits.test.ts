import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { createSeedFactory, type FormwireKit, makeQuestion, startFormwire } from '../../src/testing/index.ts'
import { ask } from '../support/server.ts'

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
  it('returns the latest request that matches by string, pattern, predicate and member', async () => {
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

  it('shows the closest requests and how they differ', async () => {
    await call('/forms?status=closed')
    await call('/me')
    const text = await message(() =>
      kit.expectRequest({ method: 'GET', path: '/api/v1/forms', query: { status: 'draft' } }),
    )
    expect(text).toBe(
      [
        'Expected a request that matches. Recorded 2, the closest:',
        '  #1 GET /api/v1/forms?status=closed → 200',
        '    query.status: "closed", expected "draft"',
        '  #2 GET /api/v1/me → 200',
        '    path: "/api/v1/me", expected "/api/v1/forms"',
        '    query.status: undefined, expected "draft"',
      ].join('\n'),
    )
  })

  it('reports that none were recorded, and how many were found instead', async () => {
    expect(await message(() => kit.expectRequest({}))).toBe(
      'Expected a request that matches. None were recorded.',
    )
    await call('/me')
    await call('/me')
    expect(await message(() => kit.expectRequests({ path: '/api/v1/me' }, 1))).toBe(
      'Expected 1 request that matches, found 2:\n  #1 GET /api/v1/me → 200\n  #2 GET /api/v1/me → 200',
    )
    const text = await message(() => kit.expectRequests({ path: '/api/v1/you' }, 2))
    expect(text).toContain('Expected 2 requests that match. Recorded 2, the closest:')
    expect(text).not.toContain(kit.clientOptions.apiKey)
  })
})

it('waitForRequest resolves to a request that is made later', async () => {
  const waiting = kit.waitForRequest({ path: '/api/v1/me' }, PATIENT)
  await call('/me')
  expect((await waiting).status).toBe(200)
})

describe('waitForDelivery', () => {
  it('shows the closest delivery and mentions the manual clock', async () => {
    kit.receiver.respond('500')
    await kit.connectReceiver(FORM)
    submit('Ada')
    await kit.waitForDelivery({ attempts: 1 }, PATIENT)
    const text = await message(() => kit.waitForDelivery({ status: 'delivered' }, { timeoutMs: 1 }))
    expect(text).toMatch(
      /^Timed out after 1 ms waiting for a delivery that matches\. The clock is manual: call server\.clock\.advance\(\) for anything scheduled later\. Recorded 1, the closest:\n {2}dlv_\w+ response\.submitted of response 1 to endpoint 1: pending after 1 attempt, last status 500, next at 2026-11-21T12:01:00\.000Z\n {4}status: "pending", expected "delivered"$/,
    )
  })
})

describe('waitForResponse', () => {
  it('resolves to a response that is submitted through the public link later', async () => {
    const waiting = kit.waitForResponse({ status: 'submitted' }, PATIENT)
    const { slug } = kit.server.app.forms.get(FORM)
    await ask(kit.server, 'POST', `/f/${slug}`, { answers: [{ question_id: 'short_text', value: 'Lin' }] })
    expect((await waiting).answers).toMatchObject([{ value: 'Lin' }])
  })

  it('shows the closest response', async () => {
    submit('Ada')
    const text = await message(() =>
      kit.waitForResponse({ form_id: FORM, answers: [{ value: 'Grace' }] }, { timeoutMs: 1 }),
    )
    expect(text).toContain(
      'Recorded 1, the closest:\n  response 1 of form waitingform1: submitted, 2026-11-21T12:00:00.000Z\n',
    )
    expect(text).toContain(
      '    answers: no item matches {"value":"Grace"} (expected item 0) among [{"question_id"',
    )
  })
})

it('does not match an empty object with a non-object or undefined', async () => {
  submit('Ada')
  const text = await message(() => kit.waitForResponse({ meta: { nowhere: {} } }, { timeoutMs: 1 }))
  expect(text).toContain('meta.nowhere: undefined, expected an object')
  await kit.waitForResponse({ meta: { utm: {} } }, { timeoutMs: 1 })
})

it('includes the seed of random unspecified behaviour in every message', async () => {
  await using drawn = await startFormwire({ unspecified: 'random:17' })
  expect(await message(() => drawn.expectRequest({}))).toMatch(/\nRan with unspecified: random:17$/)
})
