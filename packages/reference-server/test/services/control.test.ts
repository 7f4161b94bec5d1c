import { describe, expect, it } from 'vitest'
import type { ReferenceServerOptions } from '../../src/index.ts'
import { FORM, KEYS, NOW, SEED } from '../conformance/seed.ts'
import { asker, openServer } from '../support/server.ts'

async function start(options: ReferenceServerOptions = {}) {
  const server = openServer({
    seed: SEED,
    clock: 'manual',
    now: NOW,
    adminToken: 'admintoken',
    ...options,
  })
  await server.ready
  const ask = asker(server)
  const me = async (key: string) =>
    (await ask('GET', '/api/v1/me', undefined, { authorization: `Bearer ${key}` })).status
  return { server, ask, me }
}

describe('the control API', () => {
  it('requires the admin token for everything except health', async () => {
    const { ask } = await start()
    const health = await ask('GET', '/_app/health', undefined, { authorization: '' })
    expect([health.status, health.json.data.status]).toEqual([200, 'ok'])
    for (const authorization of [
      '',
      'Bearer',
      'Bearer wrong',
      `Bearer ${KEYS.write}`,
      'Basic admintoken',
      'Bearer admintokenx',
    ]) {
      for (const [method, path] of [
        ['GET', '/_app/keys'],
        ['POST', '/_app/reset'],
        ['GET', '/_app/deliveries/stream'],
        ['GET', '/_app/nothing'],
        ['GET', '/_app/%'],
      ] as const) {
        const { status, json, headers } = await ask(method, path, undefined, { authorization })
        expect([authorization, path, status, json.error.code, headers.get('www-authenticate')]).toEqual([
          authorization,
          path,
          401,
          'unauthorized',
          'Bearer',
        ])
      }
    }
    expect([
      (await ask('GET', '/_app/nothing')).status,
      (await ask('GET', '/_app/%')).status,
      (await ask('DELETE', '/_app/health')).status,
    ]).toEqual([404, 400, 404])
  })

  it('does not accept the admin token as an API key', async () => {
    const { me } = await start()
    expect(await me('admintoken')).toBe(401)
  })

  it('refuses requests from other origins and unknown hosts', async () => {
    const { server, ask } = await start({
      allowedHosts: ['forms.internal', 'Formwire', 'api:8787', 'fd00::1'],
    })
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://formwire.test:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[]) {
      expect([headers, (await ask('GET', '/_app/keys', undefined, headers)).status]).toEqual([headers, 403])
      expect((await ask('GET', '/_app/health', undefined, headers)).status).toBe(403)
    }
    const own = { origin: 'http://formwire.test', 'sec-fetch-site': 'same-origin' }
    expect((await ask('GET', '/_app/keys', undefined, own)).status).toBe(200)
    const statusFor = async (host: string) => (await ask('GET', '/_app/keys', undefined, { host })).status
    for (const host of [
      '127.0.0.1:8080',
      'localhost:8080',
      'LOCALHOST',
      'localhost.',
      '[::1]:8080',
      '127.0.0.2',
      'forms.internal:8080',
      'FORMS.internal',
      'formwire:8787',
      'api',
      '[fd00::1]:8787',
    ]) {
      expect([host, await statusFor(host)]).toEqual([host, 200])
    }
    for (const host of [
      'evil.example',
      'evil.example:8080',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '10.0.0.1',
      'internal',
      'fd',
    ]) {
      expect([host, await statusFor(host)]).toEqual([host, 403])
    }
    // Over a socket, the own origin is that of the Host header.
    const { url } = await server.listen({ port: 0 })
    const statusFrom = async (origin: string) =>
      (await fetch(`${url}/_app/keys`, { headers: { authorization: 'Bearer admintoken', origin } })).status
    expect(await statusFrom(url)).toBe(200)
    expect(await statusFrom(url.replace('127.0.0.1', 'localhost'))).toBe(403)
  })

  it.each([
    ['POST', '/_app/keys', { name: '', scope: 'read' }, 'name'],
    ['POST', '/_app/keys', { name: 'x' }, 'scope'],
    ['POST', '/_app/keys', { name: 'x', scope: 'admin' }, 'scope'],
    ['POST', '/_app/keys', { name: 'x', scope: 'read', user_id: 99 }, 'user_id'],
    ['POST', '/_app/keys', { name: 'x', scope: 'read', user_id: '1' }, 'user_id'],
    ['POST', '/_app/keys', { name: 'x', scope: 'read', workspace_id: 99 }, 'workspace_id'],
    ['POST', '/_app/keys', { name: 'x', scope: 'read', workspace_id: 2 }, 'user_id'],
    ['POST', '/_app/users', { name: 'x', email: 'no' }, 'email'],
    ['POST', '/_app/users', { name: 'x', email: 'OLIVE@example.com' }, 'email'],
    ['POST', '/_app/workspaces', { name: 'x', plan: 'gold' }, 'plan'],
    ['PUT', '/_app/workspaces/1/members/1', { role: 'admin' }, 'role'],
    ['POST', '/_app/forms', {}, 'title'],
    ['POST', '/_app/forms', { title: 'x', workspace_id: 99 }, 'workspace_id'],
    ['POST', '/_app/forms', { title: 'x', response_limit: 0 }, 'response_limit'],
    ['POST', '/_app/forms', { title: 'x', opens_at: 'soon' }, 'opens_at'],
    ['POST', '/_app/forms', { title: 'x', questions: [{ type: 'essay', title: 'x' }] }, 'questions[0].type'],
    ['POST', `/_app/forms/${FORM}/responses`, { answers: [{ question_id: 'stars', value: 9 }] }, 'stars'],
    ['POST', `/_app/forms/${FORM}/responses`, { status: 'done' }, 'status'],
    ['POST', `/_app/forms/${FORM}/responses`, { submitted_at: 'now' }, 'submitted_at'],
    ['POST', `/_app/forms/${FORM}/responses`, { started_at: '2030-01-01' }, 'started_at'],
    ['POST', `/_app/forms/${FORM}/responses`, { email: 'no' }, 'email'],
    ['POST', `/_app/forms/${FORM}/responses`, { meta: [] }, 'meta'],
    ['PATCH', `/_app/forms/${FORM}`, { title: 'x', revision: '1' }, 'revision'],
  ])('[ERR-03] refuses %s %s %j with the field at fault', async (method, path, body, field) => {
    const { ask } = await start()
    const { status, json } = await ask(method, path, body)
    expect([status, json.error.code, json.error.details]).toEqual([422, 'validation_failed', { field }])
  })

  it('refuses changes that were made to an earlier revision of a form', async () => {
    const { ask } = await start()
    const path = `/_app/forms/${FORM}`
    const { revision } = (await ask('GET', path)).json.data
    const first = await ask('PATCH', path, { title: 'First', revision })
    expect([first.status, first.json.data.revision > revision]).toEqual([200, true])
    const second = await ask('PATCH', path, { title: 'Second', revision })
    expect([second.status, second.json.error.code, second.json.error.details]).toEqual([
      409,
      'conflict',
      { field: 'revision' },
    ])
    expect((await ask('GET', path)).json.data.title).toBe('First')
    expect((await ask('PATCH', path, { title: 'Third' })).json.data.title).toBe('Third')
  })

  it.each(['false', 'true'] as const)(
    '[FORM-10] takes no response for an edit of its form, with touchOnResponse %s',
    async (touchOnResponse) => {
      const { ask } = await start({ unspecified: { touchOnResponse } })
      const path = `/_app/forms/${FORM}`
      const { revision } = (await ask('GET', path)).json.data
      const answers = [{ question_id: 'name', value: 'Ann' }]
      expect((await ask('POST', '/f/survey', { answers })).status).toBe(201)
      expect((await ask('PATCH', path, { title: 'First', revision })).status).toBe(200)
    },
  )

  it('[FORM-09] shows whether a form has changes that respondents do not see', async () => {
    const { ask } = await start()
    const after = async (method: string, path = '', body?: object): Promise<boolean> =>
      (await ask(method, `/_app/forms/${FORM}${path}`, body)).json.data.unpublished_changes
    const { title, questions } = (await ask('GET', `/_app/forms/${FORM}`)).json.data
    expect(await after('GET')).toBe(false)
    expect(await after('PATCH', '', { title: 'Second edition' })).toBe(true)
    expect(await after('PATCH', '', { title, questions })).toBe(false)
    expect(await after('PATCH', '', { questions: [] })).toBe(true)
    expect(await after('POST', '/publish')).toBe(false)
    expect(await after('PATCH', '', { language: 'pt-BR' })).toBe(true)
    expect(await after('PATCH', '', { language: null })).toBe(false)
    const draft = await ask('PATCH', '/_app/forms/formdraft001', { title: 'Not published yet' })
    expect(draft.json.data.unpublished_changes).toBe(false)
  })

  it('[RESP-07] back-fills responses, into closed and full forms too', async () => {
    const { ask } = await start()
    const add = (form: string, body: object) => ask('POST', `/_app/forms/${form}/responses`, body)
    expect((await add('formclosed01', {})).status).toBe(201)
    const { json } = await add(FORM, {
      answers: [{ question_id: 'stars', value: 5 }],
      email: 'x@example.com',
      submitted_at: '2025-12-31T23:59:59.5+01:00',
      started_at: '2025-12-31',
      meta: { device: 'tablet', campaign: 7 },
    })
    expect(json.data).toMatchObject({
      submitted_at: '2025-12-31T22:59:59.500Z',
      started_at: '2025-12-31T00:00:00.000Z',
      duration_sec: 82_799,
      email: 'x@example.com',
      meta: { device: 'tablet', browser: null, campaign: 7, utm: {} },
    })
    const draft = await add(FORM, { status: 'in_progress', answers: [] })
    expect(draft.json.data).toMatchObject({ status: 'in_progress', submitted_at: null })
    // As the API shows a draft, so it can be put in again.
    expect((await add(FORM, { status: 'in_progress', submitted_at: null })).status).toBe(201)
    expect((await add('formtrashed1', {})).status).toBe(422)
  })
})

describe('reset and snapshots', () => {
  it('restores the seed and keeps the keys of the first line valid', async () => {
    const { server, ask, me } = await start({ seed: 'empty' })
    const made = server.app.keys.create({ name: 'Later', scope: 'read' })
    const form = server.app.forms.create({ title: 'Later' })
    server.app.keys.revoke(1)
    expect([await me(server.writeKey), await me(made.key)]).toEqual([401, 200])
    expect((await ask('POST', '/_app/reset')).status).toBe(200)
    expect([await me(server.writeKey), await me(server.readKey), await me(made.key)]).toEqual([200, 200, 401])
    expect((await ask('GET', `/_app/forms/${form.id}`)).status).toBe(404)
  })

  it('restores a snapshot with or without its envelope, also on another server', async () => {
    const { server, ask } = await start()
    const key = server.app.keys.create({ name: 'Kept', scope: 'write' }).key
    server.app.forms.update(FORM, { title: 'Kept too' })
    server.app.responses.create(FORM, {
      status: 'in_progress',
      answers: [{ question_id: 'name', value: 'Half' }],
    })
    const taken = await ask('GET', '/_app/snapshot')
    expect(taken.headers.get('cache-control')).toBe('no-store')
    for (const body of [taken.json, taken.json.data]) {
      const other = await start({ seed: 'empty', unspecified: { timestamps: 'seconds' } })
      expect((await other.ask('PUT', '/_app/snapshot', body)).status).toBe(200)
      expect([
        await other.me(key),
        await other.me(KEYS.write),
        await other.me(other.server.writeKey),
      ]).toEqual([200, 200, 401])
      const api = { authorization: `Bearer ${key}` }
      expect((await other.ask('GET', `/api/v1/forms/${FORM}`, undefined, api)).json.data).toMatchObject({
        title: 'Kept too',
        response_count: 3,
        created_at: '2026-01-01T00:00:00Z',
      })
      expect(
        (await other.ask('GET', `/api/v1/forms/${FORM}/responses/1`, undefined, api)).json.data,
      ).toMatchObject({ submitted_at: '2026-02-10T10:00:00Z', duration_sec: 89 })
      const next = await other.ask('POST', `/_app/forms/${FORM}/responses`, {})
      expect(next.json.data.id).toBe(7)
    }
  })

  it('keeps the journal, faults and mock receivers when a snapshot is restored, and clears them on a reset', async () => {
    const { ask, me } = await start()
    const taken = (await ask('GET', '/_app/snapshot')).json.data
    await me(KEYS.write)
    await ask('POST', '/_app/faults', { status: 503 })
    await ask('POST', '/_app/receivers', { secret: 'whsec_kept' })
    expect((await ask('GET', '/_app/snapshot')).json.data).toEqual(taken)
    const kept = async () => ({
      requests: (await ask('GET', '/_app/requests')).json.data.map(({ path }: { path: string }) => path),
      faults: (await ask('GET', '/_app/faults')).json.data.length,
      receivers: (await ask('GET', '/_app/receivers')).json.data.length,
    })
    expect((await ask('PUT', '/_app/snapshot', taken)).status).toBe(200)
    expect(await kept()).toEqual({ requests: ['/api/v1/me'], faults: 1, receivers: 1 })
    expect((await ask('POST', '/_app/reset')).status).toBe(200)
    expect(await kept()).toEqual({ requests: [], faults: 0, receivers: 0 })
  })

  it('refuses other bodies without changing the state', async () => {
    const { ask } = await start()
    const taken = (await ask('GET', '/_app/snapshot')).json.data
    for (const body of [
      {},
      { data: {} },
      { data: null },
      { ...taken, state: {} },
      { ...taken, state: { ...taken.state, version: 2 } },
      { ...taken, state: { ...taken.state, responses: { responses: [{}] } } },
    ]) {
      expect((await ask('PUT', '/_app/snapshot', body)).status).toBe(422)
    }
    const damaged = { ...taken, state: { ...taken.state, forms: null } }
    const { error } = (await ask('PUT', '/_app/snapshot', { data: damaged })).json
    expect(error.details).toEqual({ field: 'state.forms' })
    expect((await ask('GET', `/_app/forms/${FORM}`)).json.data.title).toBe('Survey')
  })
})
