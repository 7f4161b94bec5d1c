import { expect } from 'vitest'
import { FORM } from '../seed.ts'
import type { World } from '../world.ts'
import { shows } from './case.ts'

const ids = async ({ api }: World, query = ''): Promise<number[]> =>
  (await api('GET', `/forms/${FORM}/responses${query}`)).json.data.map(
    (response: { id: number }) => response.id,
  )

export const responseCases = [
  shows(
    'RESP-01',
    'lists the later of two responses at the same instant first, and a back-filled one by its date',
    async (world) => {
      const add = (json: object) => world.app('POST', `/forms/${FORM}/responses`, { json })
      await add({ submitted_at: '2026-02-11T10:00:00.250Z' })
      await add({ submitted_at: '2026-02-11T10:00:00.249Z' })
      await add({ submitted_at: '2026-02-13T00:00:00+14:00' })
      expect(await ids(world)).toEqual([8, 3, 6, 2, 7, 1])
      expect(await ids(world, '?per_page=2&page=2')).toEqual([6, 2])
    },
  ),
  shows('RESP-02 RESP-01', 'lists and filters drafts by their last save', async (world) => {
    const draft = { json: { answers: [{ question_id: 'name', value: 'Eve' }] } }
    const { token } = (await world.any('POST', '/f/survey/drafts', draft)).json.data
    expect(await ids(world, '?status=in_progress')).toEqual([6, 4])
    expect(await ids(world, '?status=in_progress&since=2026-02-12T10:01:05Z')).toEqual([6, 4])
    expect(await ids(world, '?status=in_progress&since=2026-02-12T10:01:05.001Z')).toEqual([6])
    await world.server.clock.advance('1h')
    expect(await ids(world, '?status=in_progress&since=2026-03-02T13:00Z')).toEqual([])
    expect((await world.any('PUT', `/f/survey/drafts/${token}`, draft)).status).toBe(200)
    expect(await ids(world, '?status=in_progress&since=2026-03-02T13:00Z')).toEqual([6])
  }),
  shows('RESP-04', 'deletes a response permanently and never reuses its id', async ({ api, any }) => {
    const { status, json } = await api('DELETE', `/forms/${FORM}/responses/4`)
    expect([status, json]).toEqual([200, { data: { id: 4, deleted: true } }])
    expect((await api('GET', `/forms/${FORM}/responses/4`)).status).toBe(404)
    expect((await api('DELETE', `/forms/${FORM}/responses/4`)).status).toBe(404)
    expect((await any('POST', '/f/survey', { json: { answers: [] } })).json.data.id).toBe(6)
    await api('DELETE', `/forms/${FORM}/responses/6`)
    expect((await any('POST', '/f/survey', { json: { answers: [] } })).json.data.id).toBe(7)
  }),
  shows(
    'RESP-05 RESP-06 RESP-08 ENV-05',
    'returns every documented field of a response, with answers in form order',
    async ({ api }) => {
      expect((await api('GET', `/forms/${FORM}/responses/1`)).json).toEqual({
        data: {
          id: 1,
          form_id: 'formsurvey01',
          status: 'submitted',
          started_at: '2026-02-10T09:58:30.400Z',
          submitted_at: '2026-02-10T10:00:00.000Z',
          duration_sec: 89,
          email: 'a@example.com',
          score: null,
          max_score: null,
          answers: [
            { question_id: 'name', title: 'Your name?', type: 'short_text', value: 'Ada', text: 'Ada' },
            { question_id: 'stars', title: 'How was it?', type: 'rating', value: 4, text: '4' },
          ],
          meta: {
            device: 'desktop',
            browser: 'Firefox',
            os: 'Linux',
            ref: 'https://example.com/',
            utm: { source: 'mail' },
          },
        },
      })
      const { answers, meta, email } = (await api('GET', `/forms/${FORM}/responses/3`)).json.data
      expect([answers, email, meta]).toEqual([
        [],
        null,
        { device: null, browser: null, os: null, ref: null, utm: {} },
      ])
    },
  ),
  shows(
    'RESP-05 RESP-09',
    'returns a draft with submitted_at null and its duration up to the last save',
    async ({ api }) => {
      expect((await api('GET', `/forms/${FORM}/responses/4`)).json.data).toMatchObject({
        status: 'in_progress',
        started_at: '2026-02-12T10:00:00.000Z',
        submitted_at: null,
        duration_sec: 65,
      })
    },
  ),
  shows('RESP-09', 'keeps id and start of a draft when it is submitted', async ({ api, any, server }) => {
    const draft = { json: { answers: [{ question_id: 'name', value: 'Fay' }] } }
    const { token } = (await any('POST', '/f/survey/drafts', draft)).json.data
    await server.clock.advance(90_999)
    const submitted = await any('POST', `/f/survey/drafts/${token}/submit`)
    expect([submitted.status, submitted.json.data]).toEqual([201, { id: 6, status: 'submitted' }])
    expect((await api('GET', `/forms/${FORM}/responses/6`)).json.data).toMatchObject({
      status: 'submitted',
      started_at: '2026-03-02T12:00:00.000Z',
      submitted_at: '2026-03-02T12:01:30.999Z',
      duration_sec: 90,
    })
    expect((await api('GET', `/forms/${FORM}/responses?status=in_progress`)).json.meta.total).toBe(1)
  }),
]
