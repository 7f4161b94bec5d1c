import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../src/clock/index.ts'
import { type CaseResult, type ConformanceReport, renderReport } from '../../src/conformance/index.ts'
import { ask } from '../support/server.ts'
import { against, all, FORM, run, start, UNLIMITED } from './deployment.ts'

const ofOutcome = ({ results }: ConformanceReport, outcome: string): readonly CaseResult[] =>
  results.filter((result) => result.outcome === outcome)

describe('runConformance against the reference server', () => {
  it('finds nothing broken and skips only what it cannot observe', async () => {
    const reference = await start({ limits: UNLIMITED })
    const report = await run(reference, { ...all, readKey: reference.readKey })
    expect(ofOutcome(report, 'broken')).toEqual([])
    expect(ofOutcome(report, 'skipped').map(({ finding }) => finding)).toEqual([
      'needs a response submitted meanwhile',
      'needs the web app: the API never shows a trashed form',
      'needs a key of a workspace without API access',
      'needs several minutes at the limit',
      'needs the delivery log, which the API does not show',
      'needs a draft that may be permanently deleted',
      'needs a draft submitted through the public form',
      'needs the delivery log, which the API does not show',
      'needs a receiver that fails an attempt',
      'needs the web app: the API cannot pause an endpoint',
      'needs a write key of a workspace whose plan has read access only',
      'needs the web app, where keys are created',
      'needs two minutes at the limit',
      'requires --exhaust',
      'requires --exhaust',
    ])
    expect(report.totals.held).toBe(40)
  })

  it('only reads by default and changes nothing', async () => {
    const { report, reference } = await against({ limits: UNLIMITED })
    const requests = reference.app.requests.list()
    expect(requests.length).toBeGreaterThan(30)
    const writes = requests.filter((request) => request.method !== 'GET' && request.status < 400)
    expect(writes).toEqual([])
    expect(report.results.filter((result) => result.finding === 'requires --write')).toHaveLength(18)
  })

  it('restores title, status and endpoints', async () => {
    const reference = await start({ limits: UNLIMITED })
    const read = async (path: string) => (await ask(reference, 'GET', `/api/v1/forms/${FORM}${path}`)).json
    const [form, endpoints] = [await read(''), await read('/webhooks')]
    await run(reference, { write: true })
    const { updated_at: _moved, ...after } = (await read('')).data
    expect(form.data).toMatchObject(after)
    expect(await read('/webhooks')).toEqual(endpoints)
  })

  it('[HOOK-02] [HOOK-03] [HOOK-06] skips what needs an endpoint when the host to register does not resolve', async () => {
    const webhookUrl = 'https://example.com/conformance'
    const { report } = await against(
      { limits: UNLIMITED, addressRules: 'production', dns: {} },
      { ...all, addressRules: 'production', webhookUrl },
    )
    expect(ofOutcome(report, 'broken')).toEqual([])
    const reason =
      'needs a webhook URL that this deployment accepts, not https://example.com/conformance: ' +
      `POST /api/v1/forms/${FORM}/webhooks → 422 validation_failed`
    expect(report.results.filter(({ finding }) => finding === reason).map(({ rules }) => rules)).toEqual([
      ['HOOK-02', 'HOOK-03'],
      ['HOOK-06'],
      ['HOOK-03'],
      ['HOOK-06'],
    ])
  })

  /** Waits on a manual clock, and records how long. */
  const waiting = () => {
    const clock = new ManualClock(Date.parse('2026-11-21T12:00:00Z'))
    const waits: number[] = []
    const wait = async (milliseconds: number): Promise<void> => {
      waits.push(milliseconds)
      await clock.advance(milliseconds)
    }
    return { clock, waits, wait }
  }

  it('waits after a 429 and continues', async () => {
    const { clock, waits, wait } = waiting()
    const { report } = await against({ clock }, { write: true, wait })
    expect([waits, report.totals.broken]).toEqual([[60_000], 0])
  })

  it('[RATE-01] [RATE-02] uses up the limits when exhaust is set', async () => {
    for (const [validKeyFromBlockedAddress, waited] of [
      ['served', 0],
      ['429', 1],
    ] as const) {
      const { clock, waits, wait } = waiting()
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
})

describe('runConformance against a deployment that breaks rules', () => {
  /** Runs against the reference server with its HTTP responses changed. */
  async function tampered(change: (path: string, response: Response) => Response | Promise<Response>) {
    const reference = await start({ limits: UNLIMITED })
    const report = await run(reference, {
      fetch: async (...request) => {
        const response = await reference.fetch(...(request as [Request]))
        return change(new URL(String(request[0])).pathname, response)
      },
    })
    return ofOutcome(report, 'broken')
  }

  type Body = { data: { email?: string }[] & { email?: string }; meta?: { per_page: number; total: number } }

  const json = async (response: Response, change: (body: Body) => void): Promise<Response> => {
    const body = (await response.json()) as Body
    if (response.ok) change(body)
    return Response.json(body, { status: response.status, headers: { 'content-type': 'application/json' } })
  }

  it('[FORM-04] reports a missing field with evidence', async () => {
    const results = await tampered((path, response) =>
      path.endsWith('/forms')
        ? json(response, ({ data }) => void data.map((form) => Reflect.deleteProperty(form, 'slug')))
        : response,
    )
    expect(results.find((result) => result.rules.includes('FORM-01'))).toMatchObject({
      finding:
        'GET /api/v1/forms?per_page=100 → 200: data.0.slug: Invalid input: expected string, received undefined',
      evidence: ['GET /api/v1/forms?per_page=100 → 200'],
    })
  })

  it.each<[string, RegExp, (body: Body) => void, string]>([
    [
      '[RESP-01] [RESP-02] a list in the wrong order',
      /responses$/,
      ({ data }) => void data.reverse(),
      'submitted_at is not in descending order',
    ],
    [
      '[ENV-06] pages of responses of the wrong size',
      /responses$/,
      ({ meta }) => {
        if (meta?.per_page === 25) meta.per_page = 20
      },
      'per_page is 20 by default, expected 25',
    ],
    [
      '[RESP-02] a since that is ignored',
      /responses$/,
      ({ meta }) => {
        if (meta) meta.total = 30
      },
      'since=9999-01-01 matches 30, expected 0',
    ],
    [
      '[RESP-03] a response that differs from the list',
      /responses\/\d+$/,
      ({ data }) => {
        data.email = 'other@example.com'
      },
      'email differs from the list',
    ],
  ])('%s is detected', async (_what, where, change, finding) => {
    const results = await tampered((path, response) => (where.test(path) ? json(response, change) : response))
    expect(results.map((result) => result.finding)).toContain(finding)
  })

  it('[AUTH-01] detects a missing WWW-Authenticate and a cookie', async () => {
    const results = await tampered((_path, response) => {
      const headers = new Headers(response.headers)
      headers.delete('www-authenticate')
      headers.set('set-cookie', 'a=b')
      return new Response(response.body, { status: response.status, headers })
    })
    expect(results.map((result) => result.finding)).toEqual(
      expect.arrayContaining([
        'GET /api/v1/me → 401 unauthorized: WWW-Authenticate is missing',
        'GET /api/v1/me → 200: a cookie is set',
      ]),
    )
  })

  it('reports unknown behaviour as broken', async () => {
    const results = await tampered((_path, response) =>
      response.status === 422 ? Response.json({}, { status: 418 }) : response,
    )
    expect(results.map((result) => result.title)).toContain(
      'counts pages from 1, with 25 forms per page by default and 100 at most',
    )
  })

  it('throws when the form cannot be read', async () => {
    await expect(against({}, { formId: 'nosuchform01' })).rejects.toThrow(
      'cannot read the form: GET /api/v1/forms/nosuchform01 → 404 not_found',
    )
  })

  it('includes no key, secret or body in the report', async () => {
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
