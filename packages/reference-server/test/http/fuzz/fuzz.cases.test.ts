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
import { propertyRuns } from '../../../../../test/support/cases.ts'
import { createReferenceServer, type ReferenceServer } from '../../../src/index.ts'
import { NOW, SEED } from '../../conformance/seed.ts'
import { type FuzzRequest, fuzzRequest } from './requests.ts'

/** Requests of a quick run, and of CI. */
const REQUESTS = propertyRuns(1_000, 3_000)
/** Requests before the server is reset, enough for requests to build on earlier ones. */
const BATCH = 40

const ADMIN = 'admintoken'

/** Status and code of every error that is documented or allowed as unspecified behaviour. */
const DOCUMENTED = new Set([
  ...['400 bad_request', '401 unauthorized', '403 forbidden', '403 form_closed', '404 not_found'],
  ...['405 not_found', '409 conflict', '413 bad_request', '415 bad_request', '422 validation_failed'],
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

/** How often each status was returned: a run where every request is rejected early proves nothing. */
const seen = new Map<number, number>()

async function judge(server: ReferenceServer, { method, target, headers, body }: FuzzRequest): Promise<void> {
  const asked = `${method} ${target}`
  const response = await server.fetch(`http://formwire.test${target}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  expect(response.status, asked).toBeLessThan(500)
  seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
  expect(response.headers.get('set-cookie'), asked).toBeNull()
  if (method === 'HEAD') {
    expect(text, asked).toBe('')
    return
  }
  const type = response.headers.get('content-type')
  if (response.status >= 400) {
    // Browsers of respondents get an HTML page.
    if (type?.startsWith('text/html') && target.startsWith('/f/')) return
    expect(type, asked).toBe('application/json')
    const parsed = errorEnvelopeSchema.parse(JSON.parse(text))
    expect(DOCUMENTED, asked).toContain(`${response.status} ${parsed.error.code}`)
    return
  }
  if (!target.startsWith('/api/v1')) return
  expect([200, 201, 204], asked).toContain(response.status)
  const shape = shapes.find(([pattern]) => pattern.test(asked))
  if (shape && response.status === 200)
    expect(shape[1].safeParse(JSON.parse(text)).success, `${asked} → ${text}`).toBe(true)
}

it('[ERR-01] [ERR-03] [ERR-04] handles thousands of hostile requests as documented, without a 5xx', async () => {
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
    expect([status, (seen.get(status) ?? 0) >= REQUESTS / 1000]).toEqual([status, true])
})
