import {
  errorEnvelopeSchema,
  formSchema,
  itemEnvelope,
  listEnvelope,
  meSchema,
  responseSchema,
  webhookEndpointSchema,
} from '@formwire/contract/schemas'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'
import { NOW, SEED } from '../conformance/seed.ts'
import { type FuzzRequest, fuzzRequest } from './requests.ts'

/** Requests of one run; CI sends at least this many. */
const REQUESTS = Math.max(20_000, Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 0) * 100)
/** Requests to one server before it is reset: deep enough for one to build on another. */
const BATCH = 40

const ADMIN = 'admintoken'

/** Status and code of every error that is documented, `conflict` and `form_closed` included. */
const DOCUMENTED = new Set([
  '400 bad_request',
  '401 unauthorized',
  '403 forbidden',
  '403 form_closed',
  '404 not_found',
  '409 conflict',
  '422 validation_failed',
  '429 rate_limited',
])

const shapes: readonly (readonly [RegExp, { safeParse(value: unknown): { success: boolean } }])[] = [
  [/^GET \/api\/v1\/me(\?|$)/, itemEnvelope(meSchema)],
  [/^GET \/api\/v1\/forms(\?|$)/, listEnvelope(formSchema)],
  [/^(GET|PATCH) \/api\/v1\/forms\/[^/?]+(\?|$)/, itemEnvelope(formSchema)],
  [/^GET \/api\/v1\/forms\/[^/?]+\/responses(\?|$)/, listEnvelope(responseSchema)],
  [/^GET \/api\/v1\/forms\/[^/?]+\/responses\/[^/?]+(\?|$)/, itemEnvelope(responseSchema)],
  [/^GET \/api\/v1\/forms\/[^/?]+\/webhooks(\?|$)/, listEnvelope(webhookEndpointSchema)],
]

/** How often each status came: a run that is refused at the door proves nothing. */
const seen = new Map<number, number>()

async function judge(server: ReferenceServer, { method, target, headers, body }: FuzzRequest): Promise<void> {
  const asked = `${method} ${target}`
  const answer = await server.fetch(`http://formwire.test${target}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  expect(answer.status, asked).toBeLessThan(500)
  seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
  expect(answer.headers.get('set-cookie'), asked).toBeNull()
  if (method === 'HEAD') {
    expect(text, asked).toBe('')
    return
  }
  const type = answer.headers.get('content-type')
  if (answer.status >= 400) {
    // A respondent's browser is told in a page.
    if (type?.startsWith('text/html') && target.startsWith('/f/')) return
    expect(type, asked).toBe('application/json')
    const parsed = errorEnvelopeSchema.parse(JSON.parse(text))
    expect(DOCUMENTED, asked).toContain(`${answer.status} ${parsed.error.code}`)
    return
  }
  if (!target.startsWith('/api/v1')) return
  expect([200, 201, 204], asked).toContain(answer.status)
  const shape = shapes.find(([pattern]) => pattern.test(asked))
  if (shape && answer.status === 200)
    expect(shape[1].safeParse(JSON.parse(text)).success, `${asked} → ${text}`).toBe(true)
}

it('[ERR-01] [ERR-03] [ERR-04] answers twenty thousand hostile requests as documented, and never with a 5xx', {
  timeout: 120_000,
}, async () => {
  const causes: unknown[] = []
  const open = async (unspecified: `random:${string}` | 'default') => {
    const server = createReferenceServer({
      seed: SEED,
      clock: 'manual',
      now: NOW,
      limits: 'off',
      adminToken: ADMIN,
      unspecified,
      report: (cause) => causes.push(cause),
      dns: async () => ['10.0.0.1'],
    })
    await server.ready
    return server
  }
  const servers = [
    await open('default'),
    await open('random:1'),
    await open('random:2'),
    await open('random:3'),
  ]
  let turn = 0
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fuzzRequest(ADMIN), { minLength: BATCH, maxLength: BATCH }),
        async (requests) => {
          const server = servers[turn++ % servers.length] as ReferenceServer
          server.app.reset()
          for (const request of requests) await judge(server, request)
          expect(causes).toEqual([])
        },
      ),
      { numRuns: REQUESTS / BATCH, endOnFailure: true },
    )
  } finally {
    for (const server of servers) await server.close()
  }
  expect(({} as { x?: unknown }).x).toBeUndefined()
  for (const status of [200, 201, 400, 401, 403, 404, 422])
    expect([status, (seen.get(status) ?? 0) > 40]).toEqual([status, true])
})
