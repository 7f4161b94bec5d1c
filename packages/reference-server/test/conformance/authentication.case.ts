import { expect } from 'vitest'
import { shows } from './case.ts'
import { ARCHIVED, ELSEWHERE, FORM, KEYS, TRASHED } from './seed.ts'
import type { World } from './world.ts'

const unauthorized = {
  error: { code: 'unauthorized', message: 'The API key is missing, wrong or revoked.' },
}

const newKey = async (
  app: World['app'],
  json: object,
): Promise<{ id: number; key: string; prefix: string }> =>
  (await app('POST', '/keys', { json: { name: 'New', scope: 'read', ...json } })).json.data

export const authenticationCases = [
  shows(
    'AUTH-01',
    'a missing, malformed, wrong or revoked key is 401 with WWW-Authenticate',
    async ({ any }) => {
      const credentials = [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        KEYS.write,
        `Basic ${KEYS.write}`,
        `Bearer${KEYS.write}`,
        `Bearer ${KEYS.write} ${KEYS.write}`,
        `Bearer ${KEYS.write}x`,
        `Bearer ${KEYS.write.slice(0, -1)}`,
        `Bearer ${KEYS.write.toUpperCase()}`,
        `Bearer ${KEYS.revoked}`,
        'Bearer svc_',
        `Bearer svc_${'x'.repeat(5000)}`,
      ]
      for (const authorization of credentials) {
        const { status, json, headers } = await any(
          'GET',
          '/api/v1/me',
          authorization === undefined ? {} : { headers: { authorization } },
        )
        expect([authorization, status, json, headers.get('www-authenticate')]).toEqual([
          authorization,
          401,
          unauthorized,
          'Bearer',
        ])
      }
    },
  ),
  shows('AUTH-01', 'the name of the scheme has no case', async ({ any }) => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      expect(
        (await any('GET', '/api/v1/me', { headers: { authorization: `${scheme} ${KEYS.read}` } })).status,
      ).toBe(200)
    }
  }),
  shows('AUTH-02', 'a key in the url is never a credential', async ({ any }) => {
    for (const path of [
      `/api/v1/me?api_key=${KEYS.write}`,
      `/api/v1/me?authorization=Bearer%20${KEYS.write}`,
      `/api/v1/me?access_token=${KEYS.write}`,
    ]) {
      expect((await any('GET', path)).status).toBe(401)
    }
    expect(
      (await any('GET', '/api/v1/me', { headers: { 'x-api-key': KEYS.write, cookie: `key=${KEYS.write}` } }))
        .status,
    ).toBe(401)
  }),
  shows('AUTH-03', 'a read key reads, and every write route answers 403', async ({ api }) => {
    const key = KEYS.read
    for (const path of [
      '/me',
      '/forms',
      `/forms/${FORM}`,
      `/forms/${FORM}/responses`,
      `/forms/${FORM}/responses/1`,
      `/forms/${FORM}/webhooks`,
    ]) {
      expect([path, (await api('GET', path, { key })).status]).toEqual([path, 200])
    }
    for (const [method, path] of [
      ['PATCH', `/forms/${FORM}`],
      ['DELETE', `/forms/${FORM}/responses/1`],
      ['POST', `/forms/${FORM}/webhooks`],
      ['DELETE', `/forms/${FORM}/webhooks/1`],
    ] as const) {
      const { status, json } = await api(method, path, { key, json: { title: 'x' } })
      expect([path, status, json.error]).toEqual([
        path,
        403,
        { code: 'forbidden', message: 'This key may only read.' },
      ])
    }
    expect((await api('GET', `/forms/${FORM}`)).json.data.title).toBe('Survey')
  }),
  shows('AUTH-04', "a viewer's write key reads and changes nothing", async ({ api }) => {
    const key = KEYS.viewer
    expect((await api('GET', '/me', { key })).json.data).toMatchObject({
      key: { scope: 'write' },
      workspace: { role: 'viewer' },
    })
    const { status, json } = await api('PATCH', `/forms/${FORM}`, { key, json: { title: 'x' } })
    expect([status, json.error.code]).toEqual([403, 'forbidden'])
  }),
  shows('AUTH-04', 'the role is looked at when a key is used, not when it was made', async ({ api, app }) => {
    const rename = () => api('PATCH', `/forms/${FORM}`, { key: KEYS.editor, json: { title: 'x' } })
    expect((await rename()).status).toBe(200)
    await app('PUT', '/workspaces/1/members/2', { json: { role: 'viewer' } })
    expect((await rename()).status).toBe(403)
    await app('PUT', '/workspaces/1/members/2', { json: { role: 'owner' } })
    expect((await rename()).status).toBe(200)
  }),
  shows('AUTH-05', 'owners and editors make write keys, viewers read keys only', async ({ app }) => {
    const make = (user_id: number, scope: string) =>
      app('POST', '/keys', { json: { name: 'K', scope, user_id } })
    expect([
      (await make(1, 'write')).status,
      (await make(2, 'write')).status,
      (await make(3, 'read')).status,
    ]).toEqual([201, 201, 201])
    const refused = await make(3, 'write')
    expect([refused.status, refused.json.error.details]).toEqual([422, { field: 'scope' }])
  }),
  shows('AUTH-06', 'a key starts with svc_ and is shown once, at its creation', async ({ app, api }) => {
    const { id, key, prefix } = await newKey(app, { name: 'Once' })
    expect(key).toMatch(/^svc_[0-9A-Za-z]{40}$/)
    expect(prefix).toBe(key.slice(0, 10))
    expect((await api('GET', '/me', { key })).json.data.key).toEqual({
      id,
      name: 'Once',
      prefix,
      scope: 'read',
    })
    for (const path of ['/keys', '/snapshot', '/requests', '/users', '/workspaces']) {
      expect((await app('GET', path)).text).not.toContain(key)
    }
  }),
  shows('AUTH-06', 'what is stored of a key is its SHA-256', async ({ app }) => {
    const { text } = await app('GET', '/snapshot')
    // printf svc_ownerwritekey00000000 | sha256sum
    expect(text).toContain('2112d655285fd23781f23d9b9eb67c8fe5985d921820674346569e2728c54ef5')
    expect(text).not.toContain(KEYS.write)
  }),
  shows('AUTH-07', 'the next request with a revoked key is 401', async ({ api, app }) => {
    const { id, key } = await newKey(app, {})
    expect((await api('GET', '/me', { key })).status).toBe(200)
    expect((await app('DELETE', `/keys/${id}`)).status).toBe(200)
    expect((await api('GET', '/me', { key })).json).toEqual(unauthorized)
    expect((await api('GET', '/me')).status).toBe(200)
  }),
  shows(
    'AUTH-08',
    'a user has ten active keys at most, and a revoked one frees its place',
    async ({ app }) => {
      const user = (await app('POST', '/users', { json: { name: 'Busy', email: 'busy@example.com' } })).json
        .data.id
      await app('PUT', `/workspaces/1/members/${user}`, { json: { role: 'editor' } })
      const make = () => app('POST', '/keys', { json: { name: 'K', scope: 'read', user_id: user } })
      const ids: number[] = []
      for (let i = 0; i < 10; i += 1) ids.push((await make()).json.data.id)
      const eleventh = await make()
      expect([eleventh.status, eleventh.json.error.code]).toEqual([422, 'validation_failed'])
      await app('DELETE', `/keys/${ids[4]}`)
      expect([(await make()).status, (await make()).status]).toEqual([201, 422])
    },
  ),
  shows(
    'AUTH-09',
    "a new password revokes all of the user's keys, in every workspace, and no others",
    async ({ api, app }) => {
      await app('PUT', '/workspaces/2/members/2', { json: { role: 'editor' } })
      const there = await newKey(app, { user_id: 2, workspace_id: 2 })
      expect((await api('GET', '/me', { key: there.key })).json.data.workspace.name).toBe('There')
      expect((await app('POST', '/users/2/password')).status).toBe(200)
      for (const key of [KEYS.editor, there.key]) expect((await api('GET', '/me', { key })).status).toBe(401)
      for (const key of [KEYS.write, KEYS.viewer, KEYS.elsewhere])
        expect((await api('GET', '/me', { key })).status).toBe(200)
      const after = await newKey(app, { user_id: 2 })
      expect((await api('GET', '/me', { key: after.key })).status).toBe(200)
    },
  ),
  shows('AUTH-10', 'leaving a workspace revokes the keys made in it, and no others', async ({ api, app }) => {
    await app('PUT', '/workspaces/2/members/2', { json: { role: 'editor' } })
    const there = await newKey(app, { user_id: 2, workspace_id: 2 })
    expect((await app('DELETE', '/workspaces/1/members/2')).status).toBe(200)
    expect((await api('GET', '/me', { key: KEYS.editor })).status).toBe(401)
    for (const key of [there.key, KEYS.write]) expect((await api('GET', '/me', { key })).status).toBe(200)
    await app('PUT', '/workspaces/1/members/2', { json: { role: 'editor' } })
    expect((await api('GET', '/me', { key: KEYS.editor })).status).toBe(401)
  }),
  shows('AUTH-11', 'a plan grants reading and writing apart', async ({ api, app }) => {
    const statuses = async (plan: string) => {
      await app('PATCH', '/workspaces/1', { json: { plan } })
      const read = await api('GET', '/forms', { key: KEYS.read })
      const write = await api('PATCH', `/forms/${FORM}`, { json: { title: 'x' } })
      return [read.status, write.status, write.json.error?.code ?? 'none']
    }
    expect(await statuses('free')).toEqual([403, 403, 'forbidden'])
    expect(await statuses('starter')).toEqual([200, 403, 'forbidden'])
    expect(await statuses('business')).toEqual([200, 200, 'none'])
  }),
  shows(
    'AUTH-11',
    'a plan without access is 401 where a deployment says so',
    async ({ api, app }) => {
      await app('PATCH', '/workspaces/1', { json: { plan: 'free' } })
      const { status, json, headers } = await api('GET', '/me')
      expect([status, json.error.code, headers.get('www-authenticate')]).toEqual([
        401,
        'unauthorized',
        'Bearer',
      ])
    },
    { options: { unspecified: { noPlanAccess: '401' } } },
  ),
  shows('AUTH-12', 'what another workspace has is byte for byte what does not exist', async ({ api }) => {
    const absent = (await api('GET', '/forms/nosuchform01')).text
    expect(absent).toBe('{"error":{"code":"not_found","message":"Not found."}}')
    for (const [method, path] of [
      ['GET', `/forms/${ELSEWHERE}`],
      ['GET', `/forms/${TRASHED}`],
      ['GET', '/forms/short'],
      ['GET', `/forms/${FORM.toUpperCase()}`],
      ['PATCH', `/forms/${ELSEWHERE}`],
      ['GET', `/forms/${ELSEWHERE}/responses`],
      ['GET', `/forms/${ELSEWHERE}/responses/5`],
      ['GET', `/forms/${FORM}/responses/5`],
      ['GET', `/forms/${FORM}/responses/999`],
      ['DELETE', `/forms/${ELSEWHERE}/responses/5`],
      ['GET', `/forms/${ELSEWHERE}/webhooks`],
      ['POST', `/forms/${ELSEWHERE}/webhooks`],
      ['DELETE', `/forms/${ELSEWHERE}/webhooks/1`],
      ['DELETE', `/forms/${FORM}/webhooks/1`],
      ['DELETE', `/forms/${FORM}/webhooks/999`],
    ] as const) {
      const { status, text } = await api(method, path, method === 'GET' ? {} : { json: { title: 'x' } })
      expect([method, path, status, text]).toEqual([method, path, 404, absent])
    }
    expect((await api('GET', `/forms/${ELSEWHERE}/responses`, { key: KEYS.elsewhere })).json.meta.total).toBe(
      1,
    )
  }),
  shows('AUTH-12', 'the list holds the forms of the one workspace', async ({ api }) => {
    const { json } = await api('GET', '/forms', { key: KEYS.elsewhere })
    expect(json.data.map((form: { id: string }) => form.id)).toEqual([ELSEWHERE])
  }),
  shows(
    'AUTH-13',
    'the key comes before the address of an endpoint, that before scope, scope before the form',
    async ({ api }) => {
      const wrong = { key: 'svc_wrong0000000000000000', body: '{', headers: { 'content-type': 'text/plain' } }
      const ask = async (method: string, path: string, more: object) => (await api(method, path, more)).status
      expect(await ask('POST', '/no/such/endpoint%', wrong)).toBe(401)
      expect(await ask('POST', '/no/such/endpoint', { ...wrong, key: KEYS.read })).toBe(404)
      expect(await ask('PATCH', '/forms/nosuchform01', { ...wrong, key: KEYS.read })).toBe(403)
      expect(await ask('PATCH', '/forms/nosuchform01', { ...wrong, key: KEYS.viewer })).toBe(403)
      expect(await ask('PATCH', '/forms/nosuchform01', { ...wrong, key: KEYS.write })).toBe(404)
      expect(await ask('PATCH', `/forms/${FORM}`, { ...wrong, key: KEYS.write })).toBe(400)
      expect(await ask('PATCH', `/forms/${FORM}`, { key: KEYS.write, json: { title: '' } })).toBe(422)
      expect(await ask('GET', '/forms/nosuchform01/responses?page=0', {})).toBe(404)
      expect(await ask('GET', `/forms/${FORM}/responses?page=0`, {})).toBe(422)
    },
  ),
  shows('AUTH-13', 'a plan is looked at after the address of the endpoint', async ({ api, app }) => {
    await app('PATCH', '/workspaces/1', { json: { plan: 'free' } })
    expect([(await api('GET', '/nothing')).status, (await api('GET', '/forms/nosuchform01')).status]).toEqual(
      [404, 403],
    )
  }),
  shows(
    'AUTH-13 RATE-01',
    "the key's limit comes before everything but the key",
    async ({ api }) => {
      for (let i = 0; i < 3; i += 1) expect((await api('GET', '/nothing')).status).toBe(404)
      for (const path of ['/nothing', '/broken%', '/forms?page=0'])
        expect((await api('GET', path)).status).toBe(429)
      expect((await api('PATCH', `/forms/${ARCHIVED}`, { key: 'svc_wrong0000000000000000' })).status).toBe(
        401,
      )
    },
    { options: { limits: { requestsPerMinute: 3 } } },
  ),
  shows(
    'ERR-01 AUTH-13',
    'a broken percent-encoding is 400, after the key and before 404',
    async ({ any }) => {
      for (const path of [
        '/api/v1/forms/%',
        '/api/v1/forms/%zz',
        '/api/v1/forms/%ff',
        '/api/v1/%E0%A4%A',
        '/api/v1/no/such/%',
        '/api/v1/me?x=%',
        '/api/v1/nothing?%ff=1',
        '/api/v1/forms?page=%C0%80',
      ]) {
        const { status, json } = await any('GET', path, { key: KEYS.read })
        expect([path, status, json.error.code]).toEqual([path, 400, 'bad_request'])
        expect((await any('GET', path)).status).toBe(401)
      }
    },
  ),
  shows('ME-01', 'GET /me tells user, workspace and key', async ({ api }) => {
    expect((await api('GET', '/me', { key: KEYS.editor })).json).toEqual({
      data: {
        user: { id: 2, name: 'Ed Editor', email: 'ed@example.com' },
        workspace: { id: 1, name: 'Here', role: 'editor' },
        key: { id: 3, name: 'Editing', prefix: 'svc_editor', scope: 'write' },
      },
    })
  }),
]
