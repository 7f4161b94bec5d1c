import { describe, expect, it } from 'vitest'
import { createReferenceServer } from '../../src/index.ts'
import type { Seed, SeedForm, SeedResponse } from '../../src/seed/format.ts'
import { emptySeed } from '../../src/seed/load.ts'
import { ask } from '../support/server.ts'
import { problems } from './problems.ts'

const QUESTIONS: SeedForm['questions'] = [
  { id: 'name', type: 'short_text', title: 'Your name', required: true },
  { id: 'stars', type: 'rating', title: 'Stars' },
]

const seedOf = (form: Partial<SeedForm>, version: 1 | 2 = 2): Seed => {
  const empty = emptySeed()
  const forms = [{ id: 'survey000001', title: 'Survey', questions: QUESTIONS ?? [], ...form }]
  return { ...empty, version, workspaces: [{ ...empty.workspaces[0]!, forms }] }
}

/** Starts a server with a seed and returns what a GET below `/api/v1` returns. */
async function served(seed: Seed) {
  const server = createReferenceServer({ seed, clock: 'manual', now: '2026-11-20T12:00:00Z' })
  await server.ready
  const get = async (path: string) => (await ask(server, 'GET', `/api/v1${path}`)).json
  return { server, get }
}

const NAME = { question_id: 'name', value: 'Ada', text: 'Ada' }

const FIRST = 'workspaces[0].forms[0].responses[0]'

describe('version 2 of the seed', () => {
  it('[RESP-05] serves ids, scores and durations as the seed states them', async () => {
    const response: SeedResponse = {
      id: 578,
      started_at: '2026-11-01T10:00:00.250Z',
      submitted_at: '2026-11-01T10:05:00Z',
      duration_sec: 12,
      email: 'ada@example.com',
      score: 3,
      max_score: 5,
      meta: { device: 'phone', lang: 'en' },
      answers: [NAME],
    }
    const { get } = await served(seedOf({ responses: [response] }))
    expect(await get('/forms/survey000001/responses/578')).toEqual({
      data: {
        id: 578,
        form_id: 'survey000001',
        status: 'submitted',
        started_at: '2026-11-01T10:00:00.250Z',
        submitted_at: '2026-11-01T10:05:00.000Z',
        duration_sec: 12,
        email: 'ada@example.com',
        score: 3,
        max_score: 5,
        answers: [{ question_id: 'name', title: 'Your name', type: 'short_text', value: 'Ada', text: 'Ada' }],
        meta: { device: 'phone', lang: 'en' },
      },
    })
  })

  it('[RESP-06] keeps the order, titles, types and texts of recorded answers, which need not keep the rules of their questions', async () => {
    const answers: SeedResponse['answers'] = [
      { question_id: 'stars', value: 9, text: '9 stars', title: 'Rate us' },
      { question_id: 'name', value: { lat: 1 } as never, text: 'here', type: 'map' },
    ]
    const { get } = await served(seedOf({ responses: [{ id: 1, answers }] }))
    expect((await get('/forms/survey000001/responses/1')).data).toMatchObject({
      answers: [
        { question_id: 'stars', title: 'Rate us', type: 'rating', value: 9, text: '9 stars' },
        { question_id: 'name', title: 'Your name', type: 'map', value: { lat: 1 }, text: 'here' },
      ],
    })
  })

  it('[RESP-04] gives new responses and endpoints ids after the largest of the seed', async () => {
    const seed = seedOf({
      responses: [{ answers: [NAME] }, { id: 41, answers: [NAME] }],
      webhooks: [{ id: 7, url: 'http://127.0.0.1:9/hook' }, { url: 'http://127.0.0.1:9/other' }],
    })
    const { server, get } = await served(seed)
    const made = server.app.responses.create('survey000001', {
      answers: [{ question_id: 'name', value: 'Grace' }],
    })
    expect((await get('/forms/survey000001/responses')).data).toMatchObject([
      { id: 43 },
      { id: 41 },
      { id: 42 },
    ])
    expect(made.id).toBe(43)
    expect((await get('/forms/survey000001/webhooks')).data).toMatchObject([{ id: 7 }, { id: 8 }])
  })

  it('[FORM-12] serves the count of a form of which only some responses are in the seed', async () => {
    const { get } = await served(seedOf({ response_count: 9000, responses: [{ id: 3, answers: [NAME] }] }))
    expect((await get('/forms/survey000001')).data).toMatchObject({ response_count: 9000 })
  })

  it('[RESP-09] keeps a stated duration in a snapshot', async () => {
    const { server } = await served(seedOf({ responses: [{ id: 3, duration_sec: 77, answers: [NAME] }] }))
    const copy = createReferenceServer({ snapshot: server.app.snapshot.take() })
    const { json } = await ask(copy, 'GET', '/api/v1/forms/survey000001/responses/3')
    expect(json.data.duration_sec).toBe(77)
  })

  it('loads a seed without a version as version 1', async () => {
    const { version: _, ...seed } = seedOf(
      { responses: [{ answers: [{ question_id: 'name', value: 'Ada' }] }] },
      1,
    )
    const { get } = await served(seed)
    expect((await get('/forms/survey000001/responses')).data).toMatchObject([{ id: 1 }])
  })

  it('refuses recorded answers of the wrong shape, unknown questions and ids that leave no room, never with a value', () => {
    const answers = [
      { question_id: 'stars', value: 'private', text: 'private' },
      { question_id: 'gone', value: 'private', text: 'private' },
      { question_id: 'stars', value: 3, title: 'private' },
    ]
    const found = problems(seedOf({ responses: [{ id: 1, answers: answers as never }] }))
    expect(found).toEqual([
      `${FIRST}.answers[1].question_id: no question of the form has the id gone`,
      `${FIRST}.answers[0].value: is not a value of the type rating`,
      `${FIRST}.answers[2].question_id: stars is answered twice`,
      `${FIRST}.answers[2]: title and type require text`,
    ])
    expect(problems(seedOf({ responses: [{ id: 2 ** 53 - 1, answers: [NAME] }] }))).toEqual([
      `${FIRST}.id: Too big: expected number to be <=9000000000000000`,
    ])
  })
})
