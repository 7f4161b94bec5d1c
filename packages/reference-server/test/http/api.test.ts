import { describe, expect, it, onTestFinished } from 'vitest'
import { createReferenceServer, type ReferenceServerOptions } from '../../src/index.ts'
import { FORM, KEYS, NOW, SEED, TRASHED } from '../conformance/seed.ts'

const ROOT = 'http://formwire.test/api/v1'

async function start(options: ReferenceServerOptions = {}) {
  const server = createReferenceServer({ seed: SEED, clock: 'manual', now: NOW, ...options })
  onTestFinished(() => server.close())
  await server.ready
  const ask = async (path: string, key: string = KEYS.write, init: RequestInit = {}) => {
    const response = await server.fetch(ROOT + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  const send = (method: string, path: string, body?: unknown, key?: string) =>
    ask(path, key, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body) ?? null,
    })
  return { server, ask, send }
}

describe('the limit on failed authentications', () => {
  const failing = async (options: ReferenceServerOptions = {}) => {
    const { ask } = await start({ limits: { failedAuthPerMinute: 2 }, ...options })
    return [
      await ask('/me', 'svc_wrong'),
      await ask('/me', 'svc_wrong'),
      await ask('/me', 'svc_wrong'),
      await ask('/me'),
    ]
  }

  it('[RATE-02] responds 429 to the attempts beyond it, and serves a valid key', async () => {
    const [first, second, third, valid] = await failing()
    expect([first, second, third, valid].map((one) => one?.status)).toEqual([401, 401, 429, 200])
    expect(first?.headers.get('www-authenticate')).toBe('Bearer')
    expect(third?.headers.get('retry-after')).toBe('60')
  })

  it('[RATE-02] responds 429 to a valid key with validKeyFromBlockedAddress: 429', async () => {
    const unspecified = { validKeyFromBlockedAddress: '429' } as const
    expect((await failing({ unspecified })).map(({ status }) => status)).toEqual([401, 401, 429, 429])
    const { ask } = await start({ unspecified })
    expect((await ask('/me')).status).toBe(200)
  })

  it('[RATE-01] and that of each key are apart, and both are reset', async () => {
    const { server, ask } = await start({ limits: { requestsPerMinute: 1, failedAuthPerMinute: 1 } })
    const statuses = async () =>
      [
        await ask('/me'),
        await ask('/me'),
        await ask('/me', KEYS.read),
        await ask('/me', 'svc_x'),
        await ask('/me', 'svc_x'),
      ].map(({ status }) => status)
    expect(await statuses()).toEqual([200, 429, 200, 401, 429])
    expect(await statuses()).toEqual([429, 429, 429, 429, 429])
    server.app.reset()
    expect(await statuses()).toEqual([200, 429, 200, 401, 429])
  })
})

describe('plan, scope and role', () => {
  const rename = { title: 'New' }
  const outcomes = async (plan: 'free' | 'starter' | 'business', unspecified = {}) => {
    const { server, ask, send } = await start({ unspecified })
    server.app.workspaces.update(1, { plan })
    server.app.members.set(1, 3, 'viewer')
    return [
      (await ask('/me', KEYS.read)).status,
      (await ask('/me')).status,
      (await send('PATCH', `/forms/${FORM}`, rename)).status,
      (await send('PATCH', `/forms/${FORM}`, rename, KEYS.read)).status,
      (await send('PATCH', `/forms/${FORM}`, rename, KEYS.viewer)).status,
      (await ask('/me', KEYS.viewer)).status,
    ]
  }

  it('[AUTH-03] [AUTH-04] [AUTH-11] decide what a key may do', async () => {
    expect(await outcomes('business')).toEqual([200, 200, 200, 403, 403, 200])
    expect(await outcomes('starter')).toEqual([200, 200, 403, 403, 403, 200])
    expect(await outcomes('free')).toEqual([403, 403, 403, 403, 403, 403])
  })

  it('[AUTH-11] refuse a write key on a plan with read access with writeKeyOnReadPlan: refused', async () => {
    expect(await outcomes('starter', { writeKeyOnReadPlan: 'refused' })).toEqual([
      200, 403, 403, 403, 403, 403,
    ])
  })

  it('[AUTH-11] that lack access are 401 with noPlanAccess: 401', async () => {
    expect(await outcomes('free', { noPlanAccess: '401' })).toEqual([401, 401, 401, 401, 401, 401])
  })
})

describe('an unknown endpoint', () => {
  it('[ERR-02] is 404, and 405 with its methods where the path exists, with wrongMethod: 405', async () => {
    const { send } = await start()
    const { status, headers } = await send('POST', '/me', {})
    expect([status, headers.get('allow')]).toEqual([404, null])
    const other = await start({ unspecified: { wrongMethod: '405' } })
    const wrong = await other.send('POST', '/me', {})
    expect([wrong.status, wrong.headers.get('allow'), wrong.body.error]).toEqual([
      405,
      'GET, HEAD',
      { code: 'not_found', message: 'POST is not supported by this endpoint; use one of GET, HEAD.' },
    ])
    expect((await other.ask('/nothing')).status).toBe(404)
    expect((await other.ask('/forms/%zz')).status).toBe(400)
    expect((await other.ask('')).status).toBe(404)
  })

  it('[ENV-08] is one of CORS only with cors: any', async () => {
    const preflight = {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    }
    expect((await (await start()).ask('/me', 'none', preflight)).status).toBe(401)
    const { ask } = await start({ unspecified: { cors: 'any' } })
    expect((await ask('/me', 'none', preflight)).status).toBe(204)
    expect((await ask('/me', 'none')).status).toBe(401)
  })
})

describe('every operation', () => {
  const hook = { url: 'http://127.0.0.1:9/' }

  it('[ENV-09] knows its parameters and fields with unknownParameters: 422', async () => {
    const { ask, send } = await start({ unspecified: { unknownParameters: '422' } })
    const known = [
      '/me',
      '/forms?status=draft&page=1&per_page=2',
      `/forms/${FORM}`,
      `/forms/${FORM}/responses?status=submitted&since=2026-01-01&page=1&per_page=2`,
      `/forms/${FORM}/responses/1`,
      `/forms/${FORM}/webhooks?page=1&per_page=2`,
    ]
    for (const path of known) {
      expect([path, (await ask(path)).status]).toEqual([path, 200])
      const unknown = await ask(`${path}${path.includes('?') ? '&' : '?'}colour=blue`)
      expect([path, unknown.status, unknown.body.error.details]).toEqual([path, 422, { field: 'colour' }])
    }
    const statuses = [
      await send('PATCH', `/forms/${FORM}`, { status: 'closed', title: 'New' }),
      await send('PATCH', `/forms/${FORM}`, { title: 'New', colour: 'blue' }),
      await send('PATCH', `/forms/${FORM}?colour=blue`, { title: 'New' }),
      await send('POST', `/forms/${FORM}/webhooks`, hook),
      await send('POST', `/forms/${FORM}/webhooks`, { ...hook, colour: 'blue' }),
      await send('POST', `/forms/${FORM}/webhooks?colour=blue`, hook),
      await send('DELETE', `/forms/${FORM}/webhooks/2?colour=blue`),
      await send('DELETE', `/forms/${FORM}/webhooks/2`),
      await send('DELETE', `/forms/${FORM}/responses/1?colour=blue`),
      await send('DELETE', `/forms/${FORM}/responses/1`),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 422, 422, 201, 422, 422, 422, 200, 422, 200])
  })

  it('[FORM-03] shows a trashed form with trashedById: 200, and changes none', async () => {
    const path = `/forms/${TRASHED}`
    const { ask } = await start()
    expect((await ask(path)).status).toBe(404)
    const { ask: read, send } = await start({ unspecified: { trashedById: '200' } })
    expect((await read(path)).body.data.id).toBe(TRASHED)
    expect((await read(`${path}/webhooks`)).status).toBe(200)
    expect((await send('PATCH', path, { title: 'New' })).status).toBe(404)
    expect((await send('POST', `${path}/webhooks`, hook)).status).toBe(404)
  })

  it('[ENV-06] has no page past the end with pagePastEnd: 422', async () => {
    const { ask } = await start({ unspecified: { pagePastEnd: '422' } })
    for (const path of ['/forms', `/forms/${FORM}/responses`, `/forms/${FORM}/webhooks`]) {
      expect([path, (await ask(`${path}?page=2`)).status]).toEqual([path, 422])
      expect([path, (await ask(`${path}?page=1`)).status]).toEqual([path, 200])
    }
  })

  it('[HOOK-01] lists endpoints in pages, with more fields with webhookListExtras', async () => {
    const lists = async (webhookListExtras: 'true' | 'false') => {
      const { ask, send } = await start({ unspecified: { webhookListExtras } })
      for (let count = 0; count < 3; count += 1) await send('POST', `/forms/${FORM}/webhooks`, hook)
      return (await ask(`/forms/${FORM}/webhooks?page=2&per_page=2`)).body
    }
    const endpoint = { id: 4, url: hook.url, active: true, created_at: NOW }
    const meta = { page: 2, per_page: 2, total: 3 }
    expect(await lists('false')).toEqual({ data: [endpoint], meta })
    expect(await lists('true')).toEqual({
      data: [{ ...endpoint, form_id: FORM, events: ['response.submitted'] }],
      meta,
    })
  })

  it('[AUTH-12] finds nothing of another form or workspace', async () => {
    const { ask, send } = await start()
    await send('POST', `/forms/${FORM}/webhooks`, hook)
    for (const [method, path] of [
      ['GET', '/forms/formelsewhe1'],
      ['GET', '/forms/formdraft001/responses/1'],
      ['GET', `/forms/${FORM}/responses/x`],
      ['GET', `/forms/${FORM}/responses/99`],
      ['DELETE', '/forms/formdraft001/webhooks/2'],
      ['DELETE', `/forms/${FORM}/webhooks/1`],
      ['DELETE', `/forms/${FORM}/webhooks/x`],
    ] as const) {
      expect([path, (await send(method, path)).status]).toEqual([path, 404])
    }
    expect((await ask(`/forms/${FORM}/webhooks`)).body.data).toHaveLength(1)
  })

  it('[ERR-03] describes an error as errorDetails says', async () => {
    const details = async (errorDetails: 'field' | 'extra' | 'none') => {
      const { ask } = await start({ unspecified: { errorDetails } })
      return [(await ask('/forms?page=0')).body.error.details, (await ask('/nothing')).body.error.details]
    }
    expect(await details('field')).toEqual([{ field: 'page' }, undefined])
    expect(await details('none')).toEqual([undefined, undefined])
    expect(await details('extra')).toEqual([
      { field: 'page', reason: 'invalid_value', docs: 'https://docs.example.com/errors' },
      undefined,
    ])
  })

  it('[ERR-02] has no route outside the API', async () => {
    const { server } = await start()
    const statusOf = async (path: string, method: string) => {
      const response = await server.fetch(`http://formwire.test${path}`, { method })
      return [response.status, await response.text()]
    }
    const body = '{"error":{"code":"not_found","message":"No route matches this path."}}'
    expect(await statusOf('/api/v2/me', 'GET')).toEqual([404, body])
    expect(await statusOf('/api/v2/me', 'HEAD')).toEqual([404, ''])
    expect((await statusOf('/openapi.json', 'HEAD'))[1]).toBe('')
    expect((await statusOf('/openapi.json', 'GET'))[0]).toBe(200)
  })
})
