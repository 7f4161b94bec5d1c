import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, ServerProcess } from './support.ts'

let server: ServerProcess
let form: Json
const text = { id: 'q1', type: 'short_text', title: 'Name' }

beforeAll(async () => {
  server = await ServerProcess.start('--seed', 'empty', '--clock', 'manual', '--rate-limits', 'off')
  form = await server.publishedForm([text])
})
afterAll(() => server.stop())

const backfill = (body: Record<string, unknown>, id = form.id) =>
  server.app('POST', `/forms/${id}/responses`, { answers: [{ question_id: 'q1', value: 'x' }], ...body })

describe('first line and control API', () => {
  it('[AUTH-06] contains everything that a script needs', () => {
    expect(Object.keys(server.first).sort()).toEqual(
      ['admin_token', 'event', 'read_key', 'url', 'user_id', 'workspace_id', 'write_key'].sort(),
    )
    expect(server.first.event).toBe('listening')
    expect(server.first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(server.first.write_key).toMatch(/^svc_/)
    expect(server.first.read_key).toMatch(/^svc_/)
  })

  it('rejects requests to the control API without its token, with an API key, and from other hosts and pages', async () => {
    const none = await server.raw('GET', '/_app/forms')
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(
      (await server.raw('GET', '/_app/forms', { authorization: `Bearer ${server.first.write_key}` })).status,
    ).toBe(401)
    expect((await server.api('GET', '/me', undefined, server.first.admin_token)).status).toBe(401)
    const foreign = { authorization: `Bearer ${server.first.admin_token}`, origin: 'https://evil.example' }
    expect((await server.raw('GET', '/_app/forms', foreign)).status).toBeGreaterThanOrEqual(400)
    const health = await server.raw('GET', '/_app/health')
    expect(health.status).toBe(200)
    expect(health.body.data.status).toBe('ok')
    expect(typeof health.body.data.version).toBe('string')
  })

  it('[FORM-07] serves the styles, scripts and icons of the public form and the console', async () => {
    for (const page of [`/f/${form.slug}`, '/_app/console']) {
      const { text } = await server.raw('GET', page, { accept: 'text/html' })
      const assets = [...text.matchAll(/(?:href|src)="([^"]+\.(?:css|js|svg))"/g)].map(
        ([, path = '']) => new URL(path, server.first.url + page).pathname,
      )
      const types = await Promise.all(
        assets.map(async (path) => {
          const { status, headers } = await server.raw('GET', path)
          return `${status} ${headers.get('content-type')?.split(';')[0]}`
        }),
      )
      expect([...new Set(types)].sort(), page).toEqual([
        '200 image/svg+xml',
        '200 text/css',
        '200 text/javascript',
      ])
    }
  })

  it('[ENV-07] returns 404 with an error envelope everywhere else', async () => {
    for (const path of ['/', '/api', '/api/v2/me', '/api/v1', '/nowhere']) {
      const response = await server.raw('GET', path, { authorization: `Bearer ${server.first.write_key}` })
      expect([path, response.status, response.body.error.code]).toEqual([path, 404, 'not_found'])
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      expect(response.headers.get('set-cookie')).toBeNull()
    }
  })
})

describe('keys', () => {
  it('[AUTH-01] [AUTH-02] [AUTH-13] rejects anything but a key before other checks', async () => {
    for (const header of [
      '',
      'Bearer',
      'Bearer ',
      'Basic abc',
      'Bearer svc_wrong',
      `Bearer ${server.first.write_key}x`,
    ]) {
      const response = await server.raw(
        'GET',
        '/api/v1/nowhere/%zz?page=0',
        header ? { authorization: header } : {},
      )
      expect([header, response.status, response.body.error.code]).toEqual([header, 401, 'unauthorized'])
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    }
    expect((await server.raw('GET', `/api/v1/me?api_key=${server.first.write_key}`)).status).toBe(401)
    expect(
      (await server.raw('GET', '/api/v1/me', { authorization: `bEaReR ${server.first.write_key}` })).status,
    ).toBe(200)
  })

  it('[AUTH-13] [ERR-01] checks the key, percent-encoding, route, scope, resource and body in this order', async () => {
    expect((await server.api('GET', '/forms/%zz')).status).toBe(400)
    expect((await server.api('GET', '/nowhere?x=%zz')).status).toBe(400)
    expect((await server.api('PATCH', '/nowhere', {}, server.first.read_key)).status).toBe(404)
    expect((await server.api('PATCH', '/forms/AAAAAAAAAAAA', {}, server.first.read_key)).status).toBe(403)
    expect((await server.api('PATCH', '/forms/AAAAAAAAAAAA', [])).status).toBe(404)
    expect((await server.api('PUT', `/forms/${form.id}`, {})).status).toBe(404)
    expect((await server.api('OPTIONS', '/me')).status).toBe(404)
    const head = await server.raw('HEAD', '/api/v1/me', { authorization: `Bearer ${server.first.write_key}` })
    expect([head.status, head.text]).toEqual([200, ''])
  })

  it('[AUTH-03] [AUTH-04] [AUTH-05] [AUTH-07] [AUTH-10] checks scope and role at use', async () => {
    const user = (await server.app('POST', '/users', { name: 'Vera', email: 'vera@example.com' })).body.data
    const workspace = server.first.workspace_id
    const role = (name: string) =>
      server.app('PUT', `/workspaces/${workspace}/members/${user.id}`, { role: name })
    expect((await role('editor')).status).toBeLessThan(300)
    const create = (scope: string) =>
      server.app('POST', '/keys', { name: 'v', scope, workspace_id: workspace, user_id: user.id })
    const key = (await create('write')).body.data
    expect(key.key.startsWith('svc_')).toBe(true)
    expect(key.key.startsWith(key.prefix)).toBe(true)
    const patch = () => server.api('PATCH', `/forms/${form.id}`, { title: 'Acceptance' }, key.key)
    expect((await patch()).status).toBe(200)
    await role('viewer')
    expect((await patch()).status).toBe(403)
    expect((await create('write')).status).toBe(422)
    const read = (await create('read')).body.data
    expect((await server.api('GET', '/me', undefined, read.key)).body.data).toEqual({
      user: { id: user.id, name: 'Vera', email: 'vera@example.com' },
      workspace: { id: workspace, name: expect.any(String), role: 'viewer' },
      key: { id: read.id, name: 'v', prefix: read.prefix, scope: 'read' },
    })
    expect((await server.app('DELETE', `/keys/${read.id}`)).status).toBeLessThan(300)
    expect((await server.api('GET', '/me', undefined, read.key)).status).toBe(401)
    await server.app('DELETE', `/workspaces/${workspace}/members/${user.id}`)
    expect((await server.api('GET', '/me', undefined, key.key)).status).toBe(401)
  })

  it('[AUTH-08] [AUTH-09] allows ten active keys per user and revokes all after a password change', async () => {
    const user = (await server.app('POST', '/users', { name: 'Ten', email: 'ten@example.com' })).body.data
    await server.app('PUT', `/workspaces/${server.first.workspace_id}/members/${user.id}`, { role: 'owner' })
    const make = () =>
      server.app('POST', '/keys', {
        name: 'k',
        scope: 'read',
        workspace_id: server.first.workspace_id,
        user_id: user.id,
      })
    const keys = []
    for (let i = 0; i < 10; i += 1) keys.push((await make()).body.data)
    expect((await make()).status).toBe(422)
    await server.app('DELETE', `/keys/${keys[0].id}`)
    expect((await make()).status).toBeLessThan(300)
    await server.app('POST', `/users/${user.id}/password`)
    for (const key of keys) expect((await server.api('GET', '/me', undefined, key.key)).status).toBe(401)
  })

  it('[AUTH-11] [AUTH-12] applies the plan and hides other workspaces byte for byte', async () => {
    const make = async (plan: string) => {
      const workspace = (await server.app('POST', '/workspaces', { name: plan, plan })).body.data
      await server.app('PUT', `/workspaces/${workspace.id}/members/${server.first.user_id}`, {
        role: 'owner',
      })
      return workspace.id as number
    }
    const keyIn = async (workspace_id: number, scope: string) =>
      server.app('POST', '/keys', { name: 'p', scope, workspace_id, user_id: server.first.user_id })
    const starter = await make('starter')
    const read = (await keyIn(starter, 'write')).body.data
    expect((await server.api('GET', '/forms', undefined, read.key)).status).toBe(200)
    const other = await server.api('GET', `/forms/${form.id}`, undefined, read.key)
    const none = await server.api('GET', '/forms/AAAAAAAAAAAA', undefined, read.key)
    expect([other.status, other.text]).toEqual([404, none.text])
    expect((await server.api('PATCH', `/forms/${form.id}`, { title: 'x' }, read.key)).status).toBe(403)
    const free = await make('free')
    const refused = (await keyIn(free, 'read')).body.data
    expect((await server.api('GET', '/me', undefined, refused.key)).status).toBe(403)
  })
})

describe('forms', () => {
  it('[FORM-04] [FORM-01] returns every documented field', async () => {
    expect(form).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9_-]{12}$/),
      title: 'Acceptance',
      status: 'published',
      slug: expect.any(String),
      url: `${server.first.url}/f/${form.slug}`,
      published: true,
      response_count: 0,
      response_limit: null,
      opens_at: null,
      closes_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
  })

  it('[ENV-02] [ENV-06] validates page parameters strictly', async () => {
    for (const bad of [
      'page=',
      'page=0',
      'page=1.0',
      'page=-0',
      'page=%2B1',
      'page=%EF%BC%91',
      'page=x',
      'per_page=0',
      'per_page=101',
      'per_page=',
    ]) {
      const response = await server.api('GET', `/forms?${bad}`)
      expect([bad, response.status, response.body.error.details.field]).toEqual([bad, 422, bad.split('=')[0]])
    }
    const twice = await server.api('GET', '/forms?per_page=2&per_page=zz')
    expect(twice.body.meta.per_page).toBe(2)
    const past = await server.api('GET', '/forms?page=999')
    expect([past.status, past.body.data, past.body.meta.page]).toEqual([200, [], 999])
    expect((await server.api('GET', '/forms?status=trashed')).body.error.details.field).toBe('status')
    expect((await server.api('GET', '/forms')).body.meta).toMatchObject({ page: 1, per_page: 25 })
    expect((await server.api('GET', '/forms?unknown=1')).status).toBe(200)
  })

  it('[FORM-05] [FORM-06] [FORM-07] [FORM-10] [FORM-11] applies status and title both or neither', async () => {
    const mine = await server.publishedForm([text])
    const patch = (body: unknown) => server.api('PATCH', `/forms/${mine.id}`, body)
    const emoji = '👩'.repeat(200)
    expect((await patch({ title: emoji })).body.data.title).toBe(emoji)
    expect((await patch({ title: `${emoji}x` })).body.error.details.field).toBe('title')
    expect((await patch({ title: '' })).status).toBe(422)
    expect((await patch({ title: '  kept  ' })).body.data.title).toBe('  kept  ')
    expect((await patch({ title: 'no', status: 'draft' })).body.error.details.field).toBe('status')
    expect((await server.api('GET', `/forms/${mine.id}`)).body.data.title).toBe('  kept  ')
    expect((await patch({})).body.error.code).toBe('validation_failed')
    for (const body of ['', '[]', '"x"', '{', 'null']) {
      const response = await server.raw(
        'PATCH',
        `/api/v1/forms/${mine.id}`,
        { authorization: `Bearer ${server.first.write_key}`, 'content-type': 'application/json' },
        body,
      )
      expect([body, response.status, response.body.error.code]).toEqual([body, 400, 'bad_request'])
    }
    const plain = await server.raw(
      'PATCH',
      `/api/v1/forms/${mine.id}`,
      { authorization: `Bearer ${server.first.write_key}`, 'content-type': 'text/plain' },
      '{"title":"x"}',
    )
    expect(plain.status).toBe(400)
    expect((await server.respondent('GET', `/f/${mine.slug}`)).status).toBe(200)
    expect((await patch({ status: 'closed' })).body.data).toMatchObject({ status: 'closed', published: true })
    const refused = await server.respondent('POST', `/f/${mine.slug}`, { answers: [] })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'form_closed'])
    await server.app('POST', '/clock/advance', { by: '1m' })
    const again = await patch({ status: 'closed' })
    expect(again.status).toBe(200)
    expect(Date.parse(again.body.data.updated_at)).toBeGreaterThan(Date.parse(mine.updated_at))
    expect((await patch({ status: 'published' })).body.data.status).toBe('published')
    const draft = (await server.app('POST', '/forms', { title: 'd', questions: [text] })).body.data
    const early = await server.api('PATCH', `/forms/${draft.id}`, { status: 'published' })
    expect([early.status, early.body.error.details.field]).toEqual([422, 'status'])
    await server.app('POST', `/forms/${mine.id}/trash`)
    expect((await server.api('GET', `/forms/${mine.id}`)).status).toBe(404)
    expect((await server.respondent('GET', `/f/${mine.slug}`)).status).toBe(404)
    await server.app('POST', `/forms/${mine.id}/restore`)
    expect((await server.api('GET', `/forms/${mine.id}`)).status).toBe(200)
  })

  it('[ERR-01] rejects a body over 1 MiB with 400', async () => {
    const response = await server.api('PATCH', `/forms/${form.id}`, {
      title: 'x',
      pad: 'y'.repeat(1_048_576),
    })
    expect([response.status, response.body.error.code]).toEqual([400, 'bad_request'])
  })
})

describe('responses', () => {
  it('[RESP-01] [RESP-02] [RESP-03] [RESP-04] [RESP-05] [FORM-12] lists, reads and deletes', async () => {
    const mine = await server.publishedForm([text])
    const at = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.500Z', '2026-01-02T00:00:00+02:00'] as const
    const ids: number[] = []
    for (const submitted_at of at) {
      const created = await backfill(
        { submitted_at, started_at: '2025-12-31T23:00:00Z', email: 'a@example.com' },
        mine.id,
      )
      expect([created.status, created.text]).toEqual([201, created.text])
      ids.push(created.body.data.id)
    }
    const list = async (query: string) => {
      const response = await server.api('GET', `/forms/${mine.id}/responses${query}`)
      return response.status === 200
        ? response.body.data.map((row: Json) => row.id)
        : [response.status, response.body.error.details?.field]
    }
    const [first, second, third] = ids
    expect(await list('')).toEqual([third, second, first])
    expect(await list('?since=2026-01-01')).toEqual([third, second, first])
    expect(await list('?since=2026-01-01T00:00:00.5')).toEqual([third, second])
    expect(await list('?since=2026-01-01T00:00:00.500001Z')).toEqual([third])
    expect(await list('?since=2026-01-02%2000:00%2B0200')).toEqual([third])
    expect(await list('?since=2026-01-01T22:00:01Z')).toEqual([])
    for (const bad of [
      '',
      'x',
      '2026-02-30',
      '2026-01-01T25:00',
      '2026-01-01T00:00:00+02:00',
      '2026-1-1',
      '2026',
    ]) {
      expect([bad, await list(`?since=${bad}`)]).toEqual([bad, [422, 'since']])
    }
    const one = await server.api('GET', `/forms/${mine.id}/responses/${first}`)
    expect(one.body.data).toEqual({
      id: first,
      form_id: mine.id,
      status: 'submitted',
      started_at: '2025-12-31T23:00:00.000Z',
      submitted_at: '2026-01-01T00:00:00.000Z',
      duration_sec: 3600,
      email: 'a@example.com',
      score: null,
      max_score: null,
      answers: [{ question_id: 'q1', title: 'Name', type: 'short_text', value: 'x', text: 'x' }],
      meta: expect.any(Object),
    })
    for (const id of ['x', '1.0', `0${first}`, `${first}x`, '-1', '99999999999999999999']) {
      expect([id, (await server.api('GET', `/forms/${mine.id}/responses/${id}`)).status]).toEqual([id, 404])
    }
    expect((await server.api('GET', `/forms/${form.id}/responses/${first}`)).status).toBe(404)
    expect((await server.api('GET', `/forms/${mine.id}`)).body.data.response_count).toBe(3)
    const gone = await server.api('DELETE', `/forms/${mine.id}/responses/${first}`)
    expect([gone.status, gone.body]).toEqual([200, { data: { id: first, deleted: true } }])
    expect((await server.api('DELETE', `/forms/${mine.id}/responses/${first}`)).status).toBe(404)
    expect((await server.api('GET', `/forms/${mine.id}`)).body.data.response_count).toBe(2)
    const next = (await backfill({}, mine.id)).body.data.id
    expect(next).toBeGreaterThan(Math.max(...ids))
  })

  it('[RESP-09] keeps the id of a draft when it is submitted', async () => {
    const mine = await server.publishedForm([{ ...text, required: true }])
    const saved = await server.respondent('POST', `/f/${mine.slug}/drafts`, { answers: [] })
    const token = saved.body.data.token
    const drafts = await server.api('GET', `/forms/${mine.id}/responses?status=in_progress`)
    expect(drafts.body.data).toHaveLength(1)
    expect(drafts.body.data[0]).toMatchObject({ status: 'in_progress', submitted_at: null, answers: [] })
    await server.app('POST', '/clock/advance', { by: '90s' })
    const put = await server.respondent('PUT', `/f/${mine.slug}/drafts/${token}`, {
      answers: [{ question_id: 'q1', value: 'me' }],
    })
    expect(put.status).toBe(200)
    await server.app('POST', '/clock/advance', { by: '30s' })
    const submitted = await server.respondent('POST', `/f/${mine.slug}/drafts/${token}/submit`)
    expect([submitted.status, submitted.body.data]).toEqual([
      201,
      { id: drafts.body.data[0].id, status: 'submitted' },
    ])
    const read = await server.api('GET', `/forms/${mine.id}/responses/${submitted.body.data.id}`)
    expect(read.body.data).toMatchObject({
      status: 'submitted',
      duration_sec: 120,
      started_at: drafts.body.data[0].started_at,
    })
    expect((await server.respondent('GET', `/f/${mine.slug}/drafts/${token}`)).status).toBe(404)
  })
})

describe('state', () => {
  it('restores a snapshot including its keys, and resets to the seed', async () => {
    const snapshot = await server.app('GET', '/snapshot')
    expect(snapshot.status).toBe(200)
    await server.app('POST', '/reset')
    expect((await server.api('GET', '/forms')).body.data).toEqual([])
    for (const body of [snapshot.body, snapshot.body.data]) {
      expect((await server.app('PUT', '/snapshot', body)).status).toBe(200)
      expect((await server.api('GET', `/forms/${form.id}`)).body.data.id).toBe(form.id)
    }
    expect((await server.app('PUT', '/snapshot', { nonsense: true })).status).toBe(422)
    expect((await server.api('GET', `/forms/${form.id}`)).status).toBe(200)
  })

  it('injects a fault by its whole path a number of times', async () => {
    await server.app('POST', '/faults', { method: 'GET', path: '/api/v1/me', status: 503, times: 2 })
    const statuses = []
    for (let i = 0; i < 3; i += 1) statuses.push((await server.api('GET', '/me')).status)
    expect(statuses).toEqual([503, 503, 200])
    await server.app('POST', '/faults', { path: '/api/v1/forms/*', status: 429, retry_after: 7 })
    const limited = await server.api('GET', `/forms/${form.id}`)
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
    await server.app('DELETE', '/faults')
    expect((await server.api('GET', `/forms/${form.id}`)).status).toBe(200)
    const journal = await server.app('GET', '/requests')
    expect(journal.text).not.toContain(server.first.write_key)
  })

  it('exits with 0 on SIGTERM and SIGINT', async () => {
    const other = await ServerProcess.start('--seed', 'demo')
    expect(await other.stop('SIGINT')).toBe(0)
    const another = await ServerProcess.start()
    expect(await another.stop('SIGTERM')).toBe(0)
  })
})

describe('limits', () => {
  it('[RATE-01] [RATE-02] [RATE-03] counts requests on the clock of the server', async () => {
    const limited = await ServerProcess.start('--seed', 'empty', '--clock', 'manual')
    try {
      const me = () => limited.api('GET', '/me')
      for (let i = 0; i < 120; i += 1) expect((await me()).status).toBe(200)
      const over = await me()
      expect([over.status, over.body.error.code, over.headers.get('retry-after')]).toEqual([
        429,
        'rate_limited',
        '60',
      ])
      expect((await limited.api('GET', '/me', undefined, limited.first.read_key)).status).toBe(200)
      await limited.app('POST', '/clock/advance', { by: '60s' })
      expect((await me()).status).toBe(200)
      const wrong = () => limited.api('GET', '/me', undefined, 'svc_nope')
      for (let i = 0; i < 30; i += 1) expect((await wrong()).status).toBe(401)
      expect((await wrong()).status).toBe(429)
      expect((await me()).status).toBe(200)
      await limited.app('POST', '/clock/advance', { by: 60_000 })
      expect((await wrong()).status).toBe(401)
    } finally {
      await limited.stop()
    }
  })
})
