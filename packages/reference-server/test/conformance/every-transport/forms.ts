import { expect } from 'vitest'
import { ARCHIVED, CLOSED, DRAFT, FORM, TRASHED } from '../seed.ts'
import type { World } from '../world.ts'
import { expectEach, shows, told } from './case.ts'

const ids = async ({ api }: World, query = ''): Promise<string[]> =>
  (await api('GET', `/forms${query}`)).json.data.map((form: { id: string }) => form.id)

const patch = ({ api }: World, form: string, json: object) => api('PATCH', `/forms/${form}`, { json })

const anAnswer = { json: { answers: [{ question_id: 'name', value: 'Dee' }] } }

export const formCases = [
  shows('FORM-01', 'lists the most recently updated form first, without trashed ones', async (world) => {
    expect(await ids(world)).toEqual([FORM, DRAFT, CLOSED, ARCHIVED])
    await world.server.clock.advance('1s')
    await patch(world, CLOSED, { title: 'Moved up' })
    expect(await ids(world)).toEqual([CLOSED, FORM, DRAFT, ARCHIVED])
    await world.app('POST', `/forms/${FORM}/trash`)
    expect(await ids(world)).toEqual([CLOSED, DRAFT, ARCHIVED])
    await world.app('POST', `/forms/${FORM}/restore`)
    expect(await ids(world)).toEqual([FORM, CLOSED, DRAFT, ARCHIVED])
  }),
  shows('FORM-03 FORM-04', 'returns every documented field of a form', async ({ api, server }) => {
    const { json } = await api('GET', `/forms/${FORM}`)
    const { url, ...form } = json.data
    expect(form).toEqual({
      id: 'formsurvey01',
      title: 'Survey',
      status: 'published',
      slug: 'survey',
      published: true,
      response_count: 3,
      response_limit: null,
      opens_at: null,
      closes_at: null,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-02-01T00:00:00.000Z',
    })
    expect(url).toMatch(/^http:\/\/(formwire\.test|127\.0\.0\.1:\d+)\/f\/survey$/)
    expect((await api('GET', '/forms')).json.data[0]).toEqual(json.data)
    server.app.forms.update(FORM, {
      response_limit: 10,
      opens_at: '2026-01-01',
      closes_at: '2026-04-01T02:00+02:00',
    })
    expect((await api('GET', `/forms/${FORM}`)).json.data).toMatchObject({
      response_limit: 10,
      opens_at: '2026-01-01T00:00:00.000Z',
      closes_at: '2026-04-01T00:00:00.000Z',
    })
  }),
  shows(
    'FORM-04',
    'returns the public link of a form as its url',
    async (world) => {
      const { url } = (await world.api('GET', `/forms/${FORM}`)).json.data
      const follow = (init: RequestInit) =>
        url.startsWith('http://formwire.test/') ? world.server.fetch(url, init) : fetch(url, init)
      const page = await follow({ headers: { accept: 'text/html' } })
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining('<title>Survey</title>'),
      ])
      const submitted = await follow({
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(anAnswer.json),
      })
      const { data } = (await submitted.json()) as { data: { id: number } }
      expect((await world.api('GET', `/forms/${FORM}/responses/${data.id}`)).json.data.form_id).toBe(FORM)
    },
    { leftOut: { msw: 'the URL names the server, which msw does not intercept' } },
  ),
  shows(
    'FORM-03',
    'generates ids of 12 characters and returns 404 for a trashed form',
    async ({ api, app }) => {
      const made = (await app('POST', '/forms', { json: { title: 'New' } })).json.data.id
      expect(made).toMatch(/^[0-9A-Za-z]{12}$/)
      expect((await api('GET', `/forms/${TRASHED}`)).status).toBe(404)
      expect((await api('GET', `/forms/${TRASHED}/responses`)).status).toBe(404)
      expect((await api('PATCH', `/forms/${TRASHED}`, { json: { title: 'x' } })).status).toBe(404)
    },
  ),
  shows('FORM-04', 'returns published as true for a published and a closed form', async (world) => {
    const published = async (id: string) => (await world.api('GET', `/forms/${id}`)).json.data.published
    await expectEach([FORM, CLOSED], published, true)
    await expectEach([DRAFT, ARCHIVED], published, false)
  }),
  shows(
    'FORM-05',
    'stores any title unchanged',
    async (world) => {
      for (const title of ['👩‍🚀'.repeat(66), '  spaced  ', ' ', '\u0000', '<b>&"\'', 'ß\u2028', '\ud800']) {
        const { status, json } = await patch(world, FORM, { title })
        expect([title, status, json.data?.title]).toEqual([title, 200, title])
        expect((await world.api('GET', `/forms/${FORM}`)).json.data.title).toBe(title)
      }
      for (const title of ['x'.repeat(1_000_000), true, ['x'], { a: 1 }]) {
        const { status, json } = await patch(world, FORM, { title })
        expect([status, json.error.details]).toEqual([422, { field: 'title' }])
      }
    },
    { leftOut: { msw: 'msw does not preserve a lone surrogate in the body' } },
  ),
  shows('FORM-05', 'applies status and title both or neither', async (world) => {
    const read = async (id: string) => {
      const { title, status, updated_at } = (await world.api('GET', `/forms/${id}`)).json.data
      return { title, status, updated_at }
    }
    await world.server.clock.advance('1m')
    for (const [id, json] of [
      [FORM, { status: 'closed', title: '' }],
      [FORM, { status: 'open', title: 'New' }],
      [DRAFT, { status: 'closed', title: 'New' }],
      [ARCHIVED, { status: 'published', title: 'New' }],
    ] as const) {
      const before = await read(id)
      expect((await patch(world, id, json)).status).toBe(422)
      expect(await read(id)).toEqual(before)
    }
    const both = await patch(world, FORM, { status: 'closed', title: 'Both' })
    expect(both.json.data).toMatchObject({
      status: 'closed',
      title: 'Both',
      updated_at: '2026-03-02T12:01:00.000Z',
    })
  }),
  shows('FORM-06', 'rejects a status for a form that was never published with 422', async (world) => {
    const publish = async (id: string) => (await patch(world, id, { status: 'published' })).json.error
    await expectEach([DRAFT, ARCHIVED], publish, {
      code: 'validation_failed',
      message: expect.any(String),
      details: { field: 'status' },
    })
  }),
  shows('FORM-08', 'reopens a closed form, which then accepts responses again', async (world) => {
    expect((await patch(world, CLOSED, { status: 'published' })).json.data).toMatchObject({
      status: 'published',
      published: true,
    })
    expect((await world.any('POST', '/f/closed', { json: { answers: [] } })).status).toBe(201)
  }),
  shows(
    'FORM-09',
    'shows a new title and new questions to respondents only after publishing',
    async (world) => {
      const shown = async () => {
        const { json } = await world.any('GET', '/f/survey', { headers: { accept: 'application/json' } })
        return [json.data.title, ...json.data.questions.map(({ id }: { id: string }) => id)]
      }
      expect((await patch(world, FORM, { title: 'Renamed' })).json.data.title).toBe('Renamed')
      const questions = [{ id: 'only', type: 'email', title: 'Mail?' }]
      await world.app('PATCH', `/forms/${FORM}`, { json: { questions } })
      expect(await shown()).toEqual(['Survey', 'name', 'stars'])
      await world.app('POST', `/forms/${FORM}/publish`)
      expect(await shown()).toEqual(['Renamed', 'only'])
    },
  ),
  shows('FORM-10', 'moves updated_at with every PATCH, but not with a response', async (world) => {
    const updatedAt = async () => (await world.api('GET', `/forms/${FORM}`)).json.data.updated_at
    await world.server.clock.advance('1m')
    await world.any('POST', '/f/survey', anAnswer)
    expect(await updatedAt()).toBe('2026-02-01T00:00:00.000Z')
    const same = await patch(world, FORM, { status: 'published' })
    expect([same.status, same.json.data.updated_at]).toEqual([200, '2026-03-02T12:01:00.000Z'])
    await world.server.clock.advance('1m')
    await patch(world, FORM, { title: 'Survey' })
    expect(await updatedAt()).toBe('2026-03-02T12:02:00.000Z')
  }),
  shows('FORM-11', 'rejects a PATCH without a known field with 422', async (world) => {
    const ask = async (json: object) => told(await patch(world, FORM, json))
    await expectEach([{}, { colour: 'blue' }, { Title: 'x' }], ask, [422, 'validation_failed'])
  }),
  shows(
    'FORM-12',
    'lowers response_count when a submitted response is deleted, but not for a draft',
    async (world) => {
      const count = async () => (await world.api('GET', `/forms/${FORM}`)).json.data.response_count
      expect(await count()).toBe(3)
      await world.any('POST', '/f/survey/drafts', { json: { answers: [] } })
      expect(await count()).toBe(3)
      await world.any('POST', '/f/survey', anAnswer)
      expect(await count()).toBe(4)
      await world.api('DELETE', `/forms/${FORM}/responses/2`)
      expect(await count()).toBe(3)
      expect(
        (await world.api('GET', `/forms/${FORM}/responses?status=in_progress`)).json.data.map(
          (one: { id: number }) => one.id,
        ),
      ).toEqual([6, 4])
      await world.api('DELETE', `/forms/${FORM}/responses/4`)
      expect(await count()).toBe(3)
    },
  ),
  shows(
    'FORM-13',
    'opens and closes the public link by dates and limit without changing the status',
    async (world) => {
      const submit = async () => (await world.any('POST', '/f/survey', anAnswer)).status
      const edit = (json: object) => world.app('PATCH', `/forms/${FORM}`, { json })
      await edit({ opens_at: '2026-03-02T12:00:00.001Z', closes_at: '2026-03-02T13:00:00Z' })
      expect(await submit()).toBe(403)
      await world.server.clock.advance('1ms')
      expect(await submit()).toBe(201)
      await world.server.clock.advance(3_599_998)
      expect(await submit()).toBe(201)
      await world.server.clock.advance('1ms')
      expect(await submit()).toBe(403)
      await edit({ closes_at: null, opens_at: null, response_limit: 6 })
      expect([await submit(), await submit()]).toEqual([201, 403])
      expect((await world.api('GET', `/forms/${FORM}`)).json.data).toMatchObject({
        status: 'published',
        published: true,
        response_count: 6,
      })
      await world.api('DELETE', `/forms/${FORM}/responses/1`)
      expect([await submit(), await submit()]).toEqual([201, 403])
    },
  ),
]
