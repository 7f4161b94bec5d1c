import { afterEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../src/clock.ts'
import { type ConformanceOptions, renderReport, runConformance } from '../../src/conformance/index.ts'
import {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
  type Seed,
  UNSPECIFIED,
} from '../../src/index.ts'
import { settleUnspecified } from '../../src/options.ts'
import { createSeedFactory } from '../../src/seed/factory.ts'
import { everyQuestion } from '../../src/seed/questions.ts'

/** Enough for a whole run; the limits of endpoints stay. */
const UNLIMITED = {
  requestsPerMinute: Number.POSITIVE_INFINITY,
  failedAuthPerMinute: Number.POSITIVE_INFINITY,
}
const FORM = 'conformance1'
const FOREIGN = 'elsewhere001'

const make = await createSeedFactory(11)
const here = make.workspace({
  forms: [
    make.form({
      id: FORM,
      closes_at: '-1d',
      questions: everyQuestion(),
      responses: 30,
      drafts: 2,
      webhooks: [{ url: 'http://127.0.0.1:9/here', active: false }],
    }),
    make.form({ id: 'draftform001', status: 'draft' }),
    make.form({ id: 'closedform01', status: 'closed' }),
  ],
})
const there = make.workspace({ forms: [make.form({ id: FOREIGN })] })
const SEED: Seed = {
  version: 1,
  users: [...here.users, ...there.users],
  workspaces: [...here.workspaces, ...there.workspaces],
}

const open: ReferenceServer[] = []
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())))

async function against(server: ReferenceServerOptions, options: Partial<ConformanceOptions> = {}) {
  const reference = createReferenceServer({ seed: SEED, ...server })
  open.push(reference)
  await reference.ready
  const report = await runConformance({
    baseUrl: 'http://formwire.test',
    apiKey: reference.writeKey,
    formId: FORM,
    webhookUrl: 'http://127.0.0.1:9/conformance',
    fetch: (...request) => reference.fetch(...(request as [Request])),
    wait: async () => {},
    ...options,
  })
  return { report, reference }
}

const all: Partial<ConformanceOptions> = {
  write: true,
  foreignFormId: FOREIGN,
  expendableResponseId: 3,
  expendableForm: true,
}

const broken = ({ report }: Awaited<ReturnType<typeof against>>) =>
  report.results
    .filter((result) => result.outcome === 'broken')
    .map((result) => `${result.title}: ${result.finding}`)

describe('runConformance against the reference server', () => {
  it('finds nothing broken, and judges everything it is given the means for', async () => {
    const { report } = await againstWithReadKey({ limits: UNLIMITED }, all)
    expect(report.results.filter((result) => result.outcome === 'broken')).toEqual([])
    expect(
      report.results.filter((result) => result.outcome === 'skipped').map((result) => result.finding),
    ).toEqual([
      'needs a response submitted meanwhile',
      'needs the app: the API never names a trashed form',
      'needs a key of a workspace whose plan has none',
      'needs minutes of waiting at the limit',
      'needs the delivery log, which the API does not show',
      'needs exhaust',
      'needs exhaust',
    ])
    expect(report.totals.held).toBe(39)
  })

  it('reads only, unless told otherwise: nothing changes', async () => {
    const { report, reference } = await against({ limits: UNLIMITED })
    const requests = reference.app.requests.list()
    expect(requests.length).toBeGreaterThan(30)
    const writes = requests.filter((request) => request.method !== 'GET' && request.status < 400)
    expect(writes).toEqual([])
    expect(report.results.filter((result) => result.finding === 'needs write')).toHaveLength(14)
  })

  it('puts title, state and endpoints back as they were', async () => {
    const reference = createReferenceServer({ seed: SEED, limits: UNLIMITED })
    open.push(reference)
    await reference.ready
    const read = async (path: string) => {
      const answer = await reference.fetch(`http://formwire.test/api/v1/forms/${FORM}${path}`, {
        headers: { authorization: `Bearer ${reference.writeKey}` },
      })
      return (await answer.json()) as { data: { updated_at?: string } }
    }
    const [form, endpoints] = [await read(''), await read('/webhooks')]
    await runConformance({
      baseUrl: 'http://formwire.test',
      apiKey: reference.writeKey,
      formId: FORM,
      write: true,
      webhookUrl: 'http://127.0.0.1:9/conformance',
      fetch: (...request) => reference.fetch(...(request as [Request])),
    })
    const { updated_at: _moved, ...after } = (await read('')).data
    expect(form.data).toMatchObject(after)
    expect(await read('/webhooks')).toEqual(endpoints)
  })

  it('[HOOK-02] [HOOK-03] [HOOK-06] skips what needs an endpoint where the address to register does not resolve', async () => {
    const webhookUrl = 'https://example.com/conformance'
    const { report } = await against(
      { limits: UNLIMITED, addressRules: 'production', dns: {} },
      { ...all, addressRules: 'production', webhookUrl },
    )
    expect(report.results.filter((result) => result.outcome === 'broken')).toEqual([])
    const reason =
      'needs a webhook url that this deployment takes, not https://example.com/conformance: ' +
      `POST /api/v1/forms/${FORM}/webhooks → 422 validation_failed`
    expect(report.results.filter(({ finding }) => finding === reason).map(({ rules }) => rules)).toEqual([
      ['HOOK-02', 'HOOK-03'],
      ['HOOK-06'],
      ['HOOK-03'],
      ['HOOK-06'],
    ])
  })

  it('waits a 429 out and goes on', async () => {
    const waits: number[] = []
    const reference = createReferenceServer({ seed: SEED, clock: 'manual' })
    open.push(reference)
    await reference.ready
    const report = await runConformance({
      baseUrl: 'http://formwire.test',
      apiKey: reference.writeKey,
      formId: FORM,
      write: true,
      webhookUrl: 'http://127.0.0.1:9/conformance',
      fetch: (...request) => reference.fetch(...(request as [Request])),
      wait: async (milliseconds) => {
        waits.push(milliseconds)
        await reference.clock.advance(milliseconds)
      },
    })
    expect(waits).toEqual([60_000])
    expect(report.totals.broken).toBe(0)
  })

  it('[RATE-01] [RATE-02] uses up the limits when told to', async () => {
    for (const [validKeyFromBlockedAddress, waited] of [
      ['served', 0],
      ['429', 1],
    ] as const) {
      const clock = new ManualClock(Date.parse('2026-11-21T12:00:00Z'))
      const waits: number[] = []
      const wait = async (milliseconds: number): Promise<void> => {
        waits.push(milliseconds)
        await clock.advance(milliseconds)
      }
      const rules = ['RATE-01', 'RATE-02']
      const { report } = await against(
        { clock, unspecified: { validKeyFromBlockedAddress } },
        { exhaust: true, rules, wait },
      )
      expect(report.results.map(({ rules, outcome, finding }) => [rules[0], outcome, finding])).toEqual([
        ['RATE-02', 'observed', validKeyFromBlockedAddress],
        ['RATE-01', 'held', null],
      ])
      expect(waits).toHaveLength(waited)
    }
  })

  const SEEDS = Array.from({ length: 25 }, (_, index) => index)
  it.each(SEEDS)(
    'sees what a deployment drawn with random:%i does where the document is open',
    async (seed) => {
      const unspecified = `random:${seed}` as const
      const found = await against({ unspecified, limits: UNLIMITED }, all)
      expect(broken(found), unspecified).toEqual([])
      const drawn: Record<string, string> = { ...settleUnspecified(unspecified) }
      // Unknown fields everywhere are unknown fields in the endpoint list and in error details too.
      if (drawn.extraFields === 'true') {
        drawn.webhookListExtras = 'true'
        if (drawn.errorDetails === 'field') drawn.errorDetails = 'extra'
      }
      expect(found.report.profile, unspecified).toEqual(
        Object.fromEntries(Object.keys(found.report.profile).map((key) => [key, drawn[key]])),
      )
      expect(Object.keys(found.report.profile).length, unspecified).toBeGreaterThanOrEqual(15)
    },
  )

  it('writes a profile that a server imitates', async () => {
    const { report } = await against({ unspecified: 'random:5', limits: UNLIMITED }, all)
    const imitation = await against({ unspecified: report.profile, limits: UNLIMITED }, all)
    expect(imitation.report.profile).toEqual(report.profile)
    const found = ({ results }: typeof report) => results.map(({ evidence: _lines, ...result }) => result)
    expect(found(imitation.report)).toEqual(found(report))
  })

  it('knows every behaviour that is left open', async () => {
    const { report } = await against({ limits: UNLIMITED })
    expect(report.results.length).toBeGreaterThanOrEqual(Object.keys(UNSPECIFIED).length)
  })
})

describe('runConformance against a deployment that breaks rules', () => {
  /** The reference server with an answer tampered with on its way. */
  async function tampered(change: (path: string, answer: Response) => Response | Promise<Response>) {
    const reference = createReferenceServer({ seed: SEED, limits: UNLIMITED })
    open.push(reference)
    await reference.ready
    const report = await runConformance({
      baseUrl: 'http://formwire.test',
      apiKey: reference.writeKey,
      formId: FORM,
      fetch: async (...request) => {
        const answer = await reference.fetch(...(request as [Request]))
        return change(new URL(String(request[0])).pathname, answer)
      },
    })
    return report.results.filter((result) => result.outcome === 'broken')
  }

  const json = async (answer: Response, change: (body: never) => void): Promise<Response> => {
    const body = (await answer.json()) as never
    if (answer.ok) change(body)
    return Response.json(body, { status: answer.status, headers: { 'content-type': 'application/json' } })
  }

  it('[FORM-04] names the field that is missing, with evidence', async () => {
    const results = await tampered((path, answer) =>
      path.endsWith('/forms')
        ? json(answer, (body: { data: object[] }) =>
            body.data.map((form) => Reflect.deleteProperty(form, 'slug')),
          )
        : answer,
    )
    expect(results.find((result) => result.rules.includes('FORM-01'))).toMatchObject({
      finding:
        'GET /api/v1/forms?per_page=100 → 200: data.0.slug: Invalid input: expected string, received undefined',
      evidence: ['GET /api/v1/forms?per_page=100 → 200'],
    })
  })

  it('[RESP-01] [RESP-02] notices an order and a since that do not hold', async () => {
    const results = await tampered((path, answer) =>
      path.endsWith('/responses')
        ? json(answer, (body: { data: object[] }) => void body.data.reverse())
        : answer,
    )
    expect(results.map((result) => result.finding)).toContain('submitted_at goes up somewhere in the list')
  })

  it('[FORM-04] reports a form that is not as documented, rather than giving up', async () => {
    const results = await tampered((path, answer) =>
      path.endsWith(`/forms/${FORM}`)
        ? json(answer, (body: { data?: object }) => {
            if (body.data) Reflect.deleteProperty(body.data, 'slug')
          })
        : answer,
    )
    expect(results.find((result) => result.rules.includes('FORM-04'))).toMatchObject({
      finding: expect.stringMatching(/slug: Invalid input/),
    })
  })

  it('[ENV-06] notices pages of responses that have another size', async () => {
    const results = await tampered((path, answer) =>
      path.endsWith('/responses')
        ? json(answer, (body: { meta?: { per_page: number } }) => {
            if (body.meta?.per_page === 25) body.meta.per_page = 20
          })
        : answer,
    )
    expect(results.map((result) => result.finding)).toContain('per_page is 20 by default, expected 25')
  })

  it('[RESP-02] notices a since that is not heeded', async () => {
    const results = await tampered((path, answer) =>
      path.endsWith('/responses')
        ? json(answer, (body: { meta?: { total: number } }) => {
            if (body.meta) body.meta.total = 30
          })
        : answer,
    )
    expect(results.map((result) => result.finding)).toContain('since the year 9999 matches 30')
  })

  it('[RESP-03] notices a response that reads otherwise than it is listed', async () => {
    const results = await tampered((path, answer) =>
      /responses\/\d+$/.test(path)
        ? json(answer, (body: { data?: { email: string } }) => {
            if (body.data) body.data.email = 'other@example.com'
          })
        : answer,
    )
    expect(results.map((result) => result.finding)).toContain('email is another than in the list')
  })

  it('[AUTH-01] notices a missing WWW-Authenticate and a cookie', async () => {
    const results = await tampered((_path, answer) => {
      const headers = new Headers(answer.headers)
      headers.delete('www-authenticate')
      headers.set('set-cookie', 'a=b')
      return new Response(answer.body, { status: answer.status, headers })
    })
    expect(results.map((result) => result.finding)).toEqual(
      expect.arrayContaining([
        'GET /api/v1/me → 401 unauthorized: WWW-Authenticate is missing',
        'GET /api/v1/me → 200: a cookie is set',
      ]),
    )
  })

  it('takes a behaviour that is none of the known ones for broken', async () => {
    const results = await tampered((path, answer) =>
      path.endsWith('/forms') && answer.status === 200 && answer.headers.get('x-page')
        ? answer
        : answer.status === 422
          ? Response.json({}, { status: 418 })
          : answer,
    )
    expect(results.map((result) => result.title)).toContain(
      'page counts from 1, per_page is 25 unless given, at most 100',
    )
  })

  it('cannot judge a deployment whose form the key does not reach', async () => {
    await expect(against({}, { formId: 'nosuchform01' })).rejects.toThrow(
      'cannot read the form: GET /api/v1/forms/nosuchform01 → 404 not_found',
    )
  })

  it('keeps key, secret and body out of the report', async () => {
    const { report, reference } = await against({ limits: UNLIMITED }, all)
    const text = JSON.stringify(report) + renderReport(report)
    expect(text).not.toContain(reference.writeKey)
    expect(text).not.toContain('whsec_')
    expect(renderReport(report)).toMatch(
      /^Conformance of http:\/\/formwire\.test, form conformance1\n\nheld {5}\[ENV-01\]/,
    )
    expect(renderReport(report)).toMatch(/\d+ held, 0 broken, \d+ observed, \d+ skipped\n$/)
  })
})

/** With the read key that the server's own seed has. */
async function againstWithReadKey(server: ReferenceServerOptions, options: Partial<ConformanceOptions>) {
  const reference = createReferenceServer({ seed: SEED, ...server })
  open.push(reference)
  await reference.ready
  const report = await runConformance({
    baseUrl: 'http://formwire.test',
    apiKey: reference.writeKey,
    readKey: reference.readKey,
    formId: FORM,
    webhookUrl: 'http://127.0.0.1:9/conformance',
    fetch: (...request) => reference.fetch(...(request as [Request])),
    ...options,
  })
  return { report }
}
