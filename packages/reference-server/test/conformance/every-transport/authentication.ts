import { expect } from 'vitest'
import { ARCHIVED, ELSEWHERE, FORM, KEYS, TRASHED } from '../seed.ts'
import type { World } from '../world.ts'
import { expectEach, shows, told } from './case.ts'

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
    'rejects a missing, malformed, wrong or revoked key with 401 and WWW-Authenticate',
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
      const ask = async (authorization: string | undefined) => {
        const more = authorization === undefined ? {} : { headers: { authorization } }
        const { status, json, headers } = await any('GET', '/api/v1/me', more)
        return [status, json, headers.get('www-authenticate')]
      }
      await expectEach(credentials, ask, [401, unauthorized, 'Bearer'])
    },
  ),
  shows('AUTH-02', 'ignores a key in the URL', async ({ any }) => {
    const headers = { 'x-api-key': KEYS.write, cookie: `key=${KEYS.write}` }
    await expectEach(
      ['', `?api_key=${KEYS.write}`, `?authorization=Bearer%20${KEYS.write}`, `?access_token=${KEYS.write}`],
      async (query) => (await any('GET', `/api/v1/me${query}`, { headers })).status,
      401,
    )
  }),
  shows(
    'AUTH-01 AUTH-03 AUTH-04',
    'rejects a viewer, a read key and a missing key on every write route and changes nothing',
    async ({ api, server }) => {
      const { id } = await server.app.webhooks.create(FORM, { url: 'http://127.0.0.1:9/hook' })
      const writes = [
        ['PATCH', `/forms/${FORM}`, { title: 'New', status: 'closed' }],
        ['DELETE', `/forms/${FORM}/responses/1`, undefined],
        ['POST', `/forms/${FORM}/webhooks`, { url: 'http://127.0.0.1:9/second' }],
        ['DELETE', `/forms/${FORM}/webhooks/${id}`, undefined],
      ] as const
      const paths = [`/forms/${FORM}`, `/forms/${FORM}/responses`, `/forms/${FORM}/webhooks`]
      const state = () => Promise.all(paths.map(async (path) => (await api('GET', path)).json))
      const before = await state()
      for (const [key, status, code] of [
        [KEYS.viewer, 403, 'forbidden'],
        [KEYS.read, 403, 'forbidden'],
        [null, 401, 'unauthorized'],
      ] as const) {
        await expectEach(
          writes,
          async ([method, path, json]) => told(await api(method, path, { key, json })),
          [status, code],
        )
      }
      expect(await state()).toEqual(before)
      const succeeds = async ([method, path, json]: (typeof writes)[number]) =>
        (await api(method, path, { json })).status === (method === 'POST' ? 201 : 200)
      await expectEach(writes, succeeds, true)
    },
  ),
  shows('AUTH-04', 'checks the role when a key is used, not when it was created', async ({ api, app }) => {
    const rename = () => api('PATCH', `/forms/${FORM}`, { key: KEYS.editor, json: { title: 'x' } })
    expect((await rename()).status).toBe(200)
    await app('PUT', '/workspaces/1/members/2', { json: { role: 'viewer' } })
    expect((await rename()).status).toBe(403)
    await app('PUT', '/workspaces/1/members/2', { json: { role: 'owner' } })
    expect((await rename()).status).toBe(200)
  }),
  shows(
    'AUTH-05',
    'lets owners and editors create write keys, and viewers only read keys',
    async ({ app }) => {
      const make = (user_id: number, scope: string) =>
        app('POST', '/keys', { json: { name: 'K', scope, user_id } })
      const allowed = [
        [1, 'write'],
        [2, 'write'],
        [3, 'read'],
      ] as const
      await expectEach(allowed, async ([user, scope]) => (await make(user, scope)).status, 201)
      const refused = await make(3, 'write')
      expect([refused.status, refused.json.error.details]).toEqual([422, { field: 'scope' }])
    },
  ),
  shows('AUTH-06', 'shows a key, which starts with svc_, only at its creation', async ({ app, api }) => {
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
  shows('AUTH-06', 'stores only the SHA-256 hash of a key', async ({ app }) => {
    const { text } = await app('GET', '/snapshot')
    // printf svc_ownerwritekey00000000 | sha256sum
    expect(text).toContain('2112d655285fd23781f23d9b9eb67c8fe5985d921820674346569e2728c54ef5')
    expect(text).not.toContain(KEYS.write)
  }),
  shows('AUTH-07', 'rejects the next request with a revoked key with 401', async ({ api, app }) => {
    const { id, key } = await newKey(app, {})
    expect((await api('GET', '/me', { key })).status).toBe(200)
    expect((await app('DELETE', `/keys/${id}`)).status).toBe(200)
    expect((await api('GET', '/me', { key })).json).toEqual(unauthorized)
    expect((await api('GET', '/me')).status).toBe(200)
  }),
  shows('AUTH-08', 'rejects the eleventh active key of a user; revoking one makes room', async ({ app }) => {
    const make = () => app('POST', '/keys', { json: { name: 'K', scope: 'read', user_id: 2 } })
    // The seed has one.
    for (let count = 1; count < 10; count += 1) expect((await make()).status).toBe(201)
    const eleventh = await make()
    expect([eleventh.status, eleventh.json.error.code]).toEqual([422, 'validation_failed'])
    await app('DELETE', '/keys/3')
    expect([(await make()).status, (await make()).status]).toEqual([201, 422])
  }),
  shows(
    'AUTH-09',
    'revokes all keys of a user in every workspace, and no others, after a password change',
    async ({ api, app }) => {
      await app('PUT', '/workspaces/2/members/2', { json: { role: 'editor' } })
      const there = await newKey(app, { user_id: 2, workspace_id: 2 })
      expect((await api('GET', '/me', { key: there.key })).json.data.workspace.name).toBe('There')
      expect((await app('POST', '/users/2/password')).status).toBe(200)
      const ask = async (key: string) => (await api('GET', '/me', { key })).status
      await expectEach([KEYS.editor, there.key], ask, 401)
      await expectEach([KEYS.write, KEYS.viewer, KEYS.elsewhere], ask, 200)
      const after = await newKey(app, { user_id: 2 })
      expect((await api('GET', '/me', { key: after.key })).status).toBe(200)
    },
  ),
  shows(
    'AUTH-10',
    'revokes the keys created in a workspace, and no others, when a user leaves it',
    async ({ api, app }) => {
      await app('PUT', '/workspaces/2/members/2', { json: { role: 'editor' } })
      const there = await newKey(app, { user_id: 2, workspace_id: 2 })
      expect((await app('DELETE', '/workspaces/1/members/2')).status).toBe(200)
      expect((await api('GET', '/me', { key: KEYS.editor })).status).toBe(401)
      for (const key of [there.key, KEYS.write]) expect((await api('GET', '/me', { key })).status).toBe(200)
      await app('PUT', '/workspaces/1/members/2', { json: { role: 'editor' } })
      expect((await api('GET', '/me', { key: KEYS.editor })).status).toBe(401)
    },
  ),
  shows('AUTH-11', 'grants read and write access separately by plan', async ({ api, app }) => {
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
    'AUTH-12',
    'returns byte for byte the 404 of a missing resource for those of another workspace',
    async ({ api }) => {
      const absent = (await api('GET', '/forms/nosuchform01')).text
      expect(absent).toBe('{"error":{"code":"not_found","message":"Not found."}}')
      const hidden = [
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
      ] as const
      const ask = async ([method, path]: (typeof hidden)[number]) => {
        const { status, text } = await api(method, path, method === 'GET' ? {} : { json: { title: 'x' } })
        return [status, text]
      }
      await expectEach(hidden, ask, [404, absent])
      expect(
        (await api('GET', `/forms/${ELSEWHERE}/responses`, { key: KEYS.elsewhere })).json.meta.total,
      ).toBe(1)
    },
  ),
  shows('AUTH-12', 'lists only the forms of the workspace of the key', async ({ api }) => {
    const { json } = await api('GET', '/forms', { key: KEYS.elsewhere })
    expect(json.data.map((form: { id: string }) => form.id)).toEqual([ELSEWHERE])
  }),
  shows(
    'AUTH-13',
    'checks the key before the route, the route before the scope, and the scope before the form',
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
  shows('AUTH-13', 'checks the plan after the route', async ({ api, app }) => {
    await app('PATCH', '/workspaces/1', { json: { plan: 'free' } })
    expect([(await api('GET', '/nothing')).status, (await api('GET', '/forms/nosuchform01')).status]).toEqual(
      [404, 403],
    )
  }),
  shows(
    'AUTH-13 RATE-01',
    'checks the rate limit of the key before everything but the key',
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
    'rejects broken percent-encoding with 400, after checking the key and before 404',
    async ({ any }) => {
      const broken = [
        '/api/v1/forms/%',
        '/api/v1/forms/%zz',
        '/api/v1/forms/%ff',
        '/api/v1/%E0%A4%A',
        '/api/v1/no/such/%',
        '/api/v1/me?x=%',
        '/api/v1/nothing?%ff=1',
        '/api/v1/forms?page=%C0%80',
      ]
      const ask = async (path: string, key: string | null) => told(await any('GET', path, { key }))
      await expectEach(broken, (path) => ask(path, KEYS.read), [400, 'bad_request'])
      await expectEach(broken, (path) => ask(path, null), [401, 'unauthorized'])
    },
  ),
  shows('ME-01', 'returns user, workspace and key from GET /me', async ({ api }) => {
    expect((await api('GET', '/me', { key: KEYS.editor })).json).toEqual({
      data: {
        user: { id: 2, name: 'Ed Editor', email: 'ed@example.com' },
        workspace: { id: 1, name: 'Here', role: 'editor' },
        key: { id: 3, name: 'Editing', prefix: 'svc_editor', scope: 'write' },
      },
    })
    const roles = [KEYS.write, KEYS.viewer].map(async (key) => (await api('GET', '/me', { key })).json.data)
    expect((await Promise.all(roles)).map(({ workspace, key }) => [workspace.role, key.scope])).toEqual([
      ['owner', 'write'],
      ['viewer', 'write'],
    ])
  }),
]
