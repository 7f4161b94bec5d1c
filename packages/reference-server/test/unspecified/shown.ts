import { request } from 'node:http'
import { expect } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import type { UnspecifiedKey } from '../../src/index.ts'
import type { Told } from '../support/server.ts'
import { SHOWN_OF_SUBMISSIONS } from './shown-of-submissions.ts'
import { makeForm, START, submit, type World } from './world.ts'

const HOOK = { url: 'http://127.0.0.1:9/hook' }

const code = ({ status, json }: Told): unknown[] => [status, json?.error?.code]

const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  409: 'conflict',
  422: 'validation_failed',
}

/** The status of a refusal, which is one of these, with its code. */
const refused = (told: Told, ...statuses: number[]): string => {
  expect(statuses.map((status) => [status, CODES[status]])).toContainEqual(code(told))
  return String(told.status)
}

/** How a deployment shows which value it has: what is seen from outside, as the key's decision record tells it. */
export const SHOWN: Readonly<Record<UnspecifiedKey, (world: World) => Promise<string>>> = {
  ...SHOWN_OF_SUBMISSIONS,
  async webhookDelete(world) {
    const { path } = await makeForm(world)
    const { id } = (await world.ask('POST', `${path}/webhooks`, HOOK)).json.data
    const told = await world.ask('DELETE', `${path}/webhooks/${id}`)
    if (told.status === 204) expect(told.text).toBe('')
    else expect(told.json).toEqual({ data: { id, deleted: true } })
    return String(told.status)
  },
  async patchWithoutField(world) {
    const told = await world.ask('PATCH', (await makeForm(world)).path, {})
    expect(told.json.error).not.toHaveProperty('details')
    return refused(told, 422, 400)
  },
  async statusOfUnpublished({ ask }) {
    const { id } = (await ask('POST', '/_app/forms', { title: 'Draft' })).json.data
    const told = await ask('PATCH', `/api/v1/forms/${id}`, { status: 'closed', title: 'Not this' })
    expect((await ask('GET', `/api/v1/forms/${id}`)).json.data.title).toBe('Draft')
    return refused(told, 422, 400, 403, 409)
  },
  async publishedWhenClosed(world) {
    const { path } = await makeForm(world)
    const closed = (await world.ask('PATCH', path, { status: 'closed' })).json.data
    expect((await world.ask('GET', path)).json.data.published).toBe(closed.published)
    expect((await world.ask('PATCH', path, { status: 'published' })).json.data.published).toBe(true)
    return String(closed.published)
  },
  async reopen(world) {
    const { path, slug } = await makeForm(world, { closes_at: '2026-03-01T13:00:00Z' })
    const move = async (status: string) => world.ask('PATCH', path, { status })
    await move('closed')
    expect((await move('published')).status).toBe(200)
    await move('closed')
    await world.server.clock.advance('1h')
    const told = await move('published')
    expect((await world.ask('POST', `/f/${slug}`, { answers: [] })).json.error.code).toBe('form_closed')
    if (told.status === 200) return 'always'
    expect([told.status, told.json.error.details]).toEqual([422, { field: 'status' }])
    return 'refusedPastEnd'
  },
  async touchOnResponse(world) {
    const form = await makeForm(world)
    await world.server.clock.advance('1s')
    await submit(world, form)
    const { updated_at } = (await world.ask('GET', form.path)).json.data
    return String(updated_at === '2026-03-01T12:00:01.000Z')
  },
  async trashedById(world) {
    const { id, path } = await makeForm(world)
    await world.ask('POST', `/_app/forms/${id}/trash`)
    const { status } = await world.ask('GET', path)
    expect((await world.ask('GET', `${path}/responses`)).status).toBe(status)
    expect((await world.ask('PATCH', path, { title: 'New' })).status).toBe(404)
    expect((await world.ask('GET', '/api/v1/forms')).json.data).toEqual([])
    return String(status)
  },
  async pagePastEnd(world) {
    const { path } = await makeForm(world)
    const lists = ['/api/v1/forms', `${path}/responses`, `${path}/webhooks`]
    const told = await Promise.all(lists.map((list) => world.ask('GET', `${list}?page=2`)))
    expect(new Set(told.map(({ status }) => status)).size).toBe(1)
    const [first] = told
    if (first?.status === 422) expect(first.json.error.details).toEqual({ field: 'page' })
    else expect(first?.json.data).toEqual([])
    return first?.status === 200 ? 'empty' : String(first?.status)
  },
  async unknownParameters(world) {
    const { path } = await makeForm(world)
    const told = [
      await world.ask('GET', '/api/v1/me?colour=blue'),
      await world.ask('PATCH', path, { title: 'New', colour: 'blue' }),
      await world.ask('PATCH', `${path}?colour=blue`, { title: 'New' }),
    ]
    expect(new Set(told.map(({ status }) => status)).size).toBe(1)
    const [first] = told
    if (first?.status === 422) expect(first.json.error.details).toEqual({ field: 'colour' })
    return first?.status === 200 ? 'ignored' : String(first?.status)
  },
  async eleventhEndpoint(world) {
    const { path } = await makeForm(world)
    for (let made = 0; made < 10; made += 1) await world.ask('POST', `${path}/webhooks`, HOOK)
    const told = await world.ask('POST', `${path}/webhooks`, HOOK)
    return refused(told, 422, 403)
  },
  async webhookListExtras(world) {
    const { id, path } = await makeForm(world)
    await world.ask('POST', `${path}/webhooks`, HOOK)
    const [{ id: _id, url: _url, active: _active, created_at: _created, ...extras }] = (
      await world.ask('GET', `${path}/webhooks`)
    ).json.data
    if (Object.keys(extras).length === 0) return 'false'
    expect(extras).toEqual({ form_id: id, events: ['response.submitted'] })
    return 'true'
  },
  async unresolvableHost(world) {
    const { path } = await makeForm(world)
    const told = await world.ask('POST', `${path}/webhooks`, { url: 'https://no-such-host.invalid/' })
    if (told.status === 201) return 'accepted'
    expect(told.json.error.details).toEqual({ field: 'url' })
    return String(told.status)
  },
  async noPlanAccess({ ask }) {
    await ask('PATCH', '/_app/workspaces/1', { plan: 'free' })
    const told = await ask('GET', '/api/v1/me')
    expect(told.headers.get('www-authenticate')).toBe(told.status === 401 ? 'Bearer' : null)
    return refused(told, 403, 401)
  },
  async rateWindow({ ask, server }) {
    await server.clock.advance('30s')
    for (let sent = 0; sent < 120; sent += 1) await ask('GET', '/api/v1/nothing')
    expect((await ask('GET', '/api/v1/me')).status).toBe(429)
    await server.clock.advance('30s')
    const { status } = await ask('GET', '/api/v1/me')
    await server.clock.advance('30s')
    expect((await ask('GET', '/api/v1/me')).status).toBe(200)
    return status === 200 ? 'fixed' : 'sliding'
  },
  async validKeyFromBlockedAddress({ ask, server }) {
    const wrong = { authorization: 'Bearer svc_wrong0000000000000000' }
    for (let sent = 0; sent < 30; sent += 1) await ask('GET', '/api/v1/me', undefined, wrong)
    expect((await ask('GET', '/api/v1/me', undefined, wrong)).status).toBe(429)
    const { status } = await ask('GET', '/api/v1/me')
    await server.clock.advance('60s')
    expect((await ask('GET', '/api/v1/me')).status).toBe(200)
    return status === 200 ? 'served' : String(status)
  },
  async deletedResponseDeliveries(world) {
    let calls = 0
    const url = await serve((_request, response) => {
      calls += 1
      response.writeHead(500).end()
    })
    const form = await makeForm(world)
    const hook = (await world.ask('POST', `${form.path}/webhooks`, { url })).json.data
    const id = await submit(world, form)
    await world.server.clock.advance(0)
    await world.ask('DELETE', `${form.path}/responses/${id}`)
    await world.server.clock.advance('1m')
    const log = await world.ask('GET', `/_app/forms/${form.id}/webhooks/${hook.id}/deliveries`)
    const [entry] = log.json.data
    if (calls === 2) {
      expect([entry.status, entry.payload.response.id]).toEqual(['pending', id])
      return 'kept'
    }
    expect([calls, entry.status, entry.payload]).toEqual([1, 'failed', {}])
    return 'cancelled'
  },
  async draftSubmittedAt(world) {
    const { slug, path } = await makeForm(world)
    await world.ask('POST', `/f/${slug}/drafts`, { answers: [] })
    const [draft] = (await world.ask('GET', `${path}/responses?status=in_progress`)).json.data
    return draft.submitted_at === START ? 'lastSaved' : String(draft.submitted_at)
  },
  async timestamps(world) {
    await world.server.clock.advance(1999)
    const form = await makeForm(world)
    const id = await submit(world, form)
    const { submitted_at, started_at } = (await world.ask('GET', `${form.path}/responses/${id}`)).json.data
    const { created_at, updated_at } = (await world.ask('GET', form.path)).json.data
    const hook = (await world.ask('POST', `${form.path}/webhooks`, HOOK)).json.data
    expect(new Set([submitted_at, started_at, created_at, updated_at, hook.created_at]).size).toBe(1)
    const since = encodeURIComponent(submitted_at)
    expect((await world.ask('GET', `${form.path}/responses?since=${since}`)).json.meta.total).toBe(1)
    const spelled: Record<string, string> = {
      '2026-03-01T12:00:01.999Z': 'milliseconds',
      '2026-03-01T12:00:01Z': 'seconds',
      '2026-03-01T12:00:01.999000Z': 'microseconds',
      '2026-03-01T12:00:01.999+00:00': 'offset',
    }
    return spelled[submitted_at] ?? submitted_at
  },
  async extraFields(world) {
    const options = [{ id: 'a', label: 'A' }]
    const form = await makeForm(world, {
      questions: [{ id: 'q', type: 'single_choice', title: 'Q', options }],
    })
    await submit(world, form, [{ question_id: 'q', value: { ids: ['a'], other: null } }])
    const list = (await world.ask('GET', `${form.path}/responses`)).json
    const [response] = list.data
    const { error } = (await world.ask('GET', '/api/v1/nothing')).json
    const counts = [list, list.meta, response, response.answers[0], response.answers[0].value, error].map(
      (value) => Object.keys(value).length,
    )
    if (String(counts) === '2,3,11,5,2,2') return 'false'
    expect(counts).toEqual([3, 4, 12, 6, 3, 3])
    return 'true'
  },
  async errorDetails({ ask }) {
    const { details } = (await ask('GET', '/api/v1/forms?page=0')).json.error
    expect((await ask('GET', '/api/v1/nothing')).json.error.details).toBeUndefined()
    if (details === undefined) return 'none'
    expect(details.field).toBe('page')
    return Object.keys(details).length === 1 ? 'field' : 'extra'
  },
  async requestIdHeader({ ask }) {
    const paths = ['/api/v1/me', '/api/v1/me', '/api/v1/nothing']
    const ids = await Promise.all(
      paths.map(async (path) => (await ask('GET', path)).headers.get('x-request-id')),
    )
    if (ids.every((id) => id === null)) return 'false'
    expect(new Set(ids).size).toBe(3)
    return 'true'
  },
  async compression({ url, server }) {
    // Nothing asks for it in process.
    if (url === undefined) return server.unspecified.compression
    const codingFor = (accepted: string) =>
      new Promise<string>((resolve, reject) => {
        request(`${url}/api/v1/me`, { headers: { 'accept-encoding': accepted } }, (answer) => {
          answer.resume().on('end', () => resolve(answer.headers['content-encoding'] ?? 'none'))
        })
          .on('error', reject)
          .end()
      })
    expect([await codingFor('identity'), await codingFor('gzip;q=0')]).toEqual(['none', 'none'])
    return codingFor('gzip, br')
  },
  async writeKeyOnReadPlan({ ask, server }) {
    await ask('PATCH', '/_app/workspaces/1', { plan: 'starter' })
    const authorization = `Bearer ${server.readKey}`
    expect((await ask('GET', '/api/v1/me', undefined, { authorization })).status).toBe(200)
    expect(code(await ask('PATCH', '/api/v1/forms/nosuchform01', {}))).toEqual([403, 'forbidden'])
    const told = await ask('GET', '/api/v1/me')
    if (told.status === 200) return 'mayRead'
    expect(code(told)).toEqual([403, 'forbidden'])
    return 'refused'
  },
  async keyLimitPer({ ask }) {
    const make = (user_id: number) => ask('POST', '/_app/keys', { name: 'K', scope: 'read', user_id })
    const second = (await ask('POST', '/_app/users', { name: 'Two', email: 'two@example.com' })).json.data.id
    await ask('PUT', `/_app/workspaces/1/members/${second}`, { role: 'editor' })
    const elsewhere = (await ask('POST', '/_app/workspaces', { name: 'There' })).json.data.id
    await ask('PUT', `/_app/workspaces/${elsewhere}/members/1`, { role: 'editor' })
    // The first user has the two keys of the seed.
    for (let made = 2; made < 10; made += 1) expect((await make(1)).status).toBe(201)
    expect(code(await make(1))).toEqual([422, 'validation_failed'])
    const there = { name: 'K', scope: 'read', user_id: 1, workspace_id: elsewhere }
    const statuses = [(await make(second)).status, (await ask('POST', '/_app/keys', there)).status]
    if (String(statuses) === '201,422') return 'user'
    expect(statuses).toEqual([422, 201])
    return 'workspace'
  },
  async refusedRequestCounts({ ask, server }) {
    const me = async () => (await ask('GET', '/api/v1/me')).status
    for (let sent = 0; sent < 120; sent += 1) await me()
    await server.clock.advance('30s')
    for (let sent = 0; sent < 120; sent += 1) expect(await me()).toBe(429)
    await server.clock.advance('30s')
    const status = await me()
    await server.clock.advance('60s')
    expect(await me()).toBe(200)
    return String(status === 429)
  },
  async bodyNotAnObject(world) {
    const { path } = await makeForm(world)
    const told = await Promise.all([[], null, 'text', 1].map((body) => world.ask('PATCH', path, body)))
    expect(new Set(told.map(({ status }) => status)).size).toBe(1)
    expect(told[0]?.json.error).not.toHaveProperty('details')
    return refused(told[0] as Told, 400, 422)
  },
  async wrongContentType(world) {
    const { path } = await makeForm(world)
    const send = (type: string) => world.ask('PATCH', path, { title: type }, { 'content-type': type })
    const told = [await send('text/plain'), await send('application/json; charset=utf-16')]
    expect(new Set(told.map(({ status }) => status)).size).toBe(1)
    const [first] = told as [Told]
    if (first.status === 200) {
      expect(first.json.data.title).toBe('text/plain')
      return 'ignored'
    }
    expect([400, 415]).toContain(first.status)
    expect(first.json.error.code).toBe('bad_request')
    expect((await world.ask('GET', path)).json.data.title).toBe('Form')
    return String(first.status)
  },
  async bodyTooLarge(world) {
    const { path } = await makeForm(world)
    const told = await world.ask('PATCH', path, { title: 'New', filler: 'x'.repeat(1_048_576) })
    expect([400, 413]).toContain(told.status)
    expect(told.json.error.code).toBe('bad_request')
    expect((await world.ask('GET', path)).json.data.title).toBe('Form')
    return String(told.status)
  },
  async wrongMethod(world) {
    const { path } = await makeForm(world)
    const told = await world.ask('PUT', path)
    expect(told.json.error.code).toBe('not_found')
    expect((await world.ask('PUT', '/api/v1/nothing')).status).toBe(404)
    if (told.status === 404) {
      expect(told.headers.get('allow')).toBeNull()
      return '404'
    }
    expect([told.status, told.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH'])
    const hook = await world.ask('GET', `${path}/webhooks/1`)
    expect([hook.status, hook.headers.get('allow')]).toEqual([405, 'DELETE'])
    return '405'
  },
  async cors({ ask }) {
    const origin = 'https://page.example'
    const wrong = { origin, authorization: 'Bearer svc_wrong0000000000000000' }
    const told = [
      await ask('GET', '/api/v1/me', undefined, { origin }),
      await ask('GET', '/api/v1/nothing', undefined, { origin }),
      await ask('GET', '/api/v1/me', undefined, wrong),
    ]
    expect(told.map(({ status }) => status)).toEqual([200, 404, 401])
    const preflight = await ask('OPTIONS', '/api/v1/forms/formsurvey01', undefined, {
      origin,
      authorization: '',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,content-type',
    })
    const allowed = told.map(({ headers }) => headers.get('access-control-allow-origin'))
    if (preflight.status !== 204) {
      expect([preflight.status, allowed]).toEqual([401, [null, null, null]])
      return 'none'
    }
    expect([allowed, preflight.text]).toEqual([['*', '*', '*'], ''])
    expect(told[0]?.headers.get('access-control-expose-headers')).toContain('Retry-After')
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '600',
    })
    return 'any'
  },
}
