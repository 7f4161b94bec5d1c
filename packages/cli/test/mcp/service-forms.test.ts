import { describe, expect, it } from 'vitest'
import { startMcp } from '../support/mcp-in-process.ts'
import { eachService, PARTY, SURVEY } from '../support/service.ts'

const service = eachService({ limits: 'off' })

/** Environment without the control API, which another service does not have. */
const plain = (): Record<string, string> => ({ ...service.env, FORMWIRE_ADMIN_TOKEN: '' })

describe('the tool forms', () => {
  it('lists forms with their status and counts', async () => {
    const { call } = await startMcp([], { env: plain() })
    expect(await call('forms')).toEqual({
      items: [
        {
          id: SURVEY,
          title: { untrusted: 'Customer survey' },
          status: 'published',
          response_count: 2,
          updated_at: '2026-11-21T10:00:00.000Z',
        },
        {
          id: PARTY,
          title: { untrusted: 'Party' },
          status: 'closed',
          response_count: 0,
          updated_at: '2026-11-21T07:00:00.000Z',
        },
      ],
      total: 2,
      next_cursor: null,
    })
    const closed = await call('forms', { status: 'closed' })
    expect(closed.items.map(({ id }: { id: string }) => id)).toEqual([PARTY])
  })

  it('describes a form with the shapes of its answers', async () => {
    const { call } = await startMcp([], { env: plain() })
    expect(await call('forms', { form: SURVEY })).toEqual({
      form: {
        id: SURVEY,
        title: { untrusted: 'Customer survey' },
        status: 'published',
        response_count: 2,
        updated_at: '2026-11-21T10:00:00.000Z',
        url: `${service.url}/f/survey`,
        response_limit: null,
        opens_at: null,
        closes_at: null,
        created_at: '2026-11-21T08:00:00.000Z',
      },
      endpoints: [
        { id: 1, url: 'http://127.0.0.1:9/hook', active: false, created_at: '2026-11-21T08:30:00.000Z' },
      ],
      responses_read: 2,
      is_sample: false,
      questions: [
        {
          id: 'name',
          title: { untrusted: 'Name' },
          types: ['short_text'],
          values: 'string',
          answered: 1,
          empty: 1,
          required: false,
          characters: { min: 2, max: 2 },
        },
        {
          id: 'stars',
          title: { untrusted: 'Stars' },
          types: ['rating'],
          values: 'number',
          answered: 2,
          empty: 0,
          required: true,
          number: { min: 4, max: 5 },
        },
        {
          id: 'why',
          title: { untrusted: 'Why?' },
          types: ['long_text'],
          values: 'string',
          answered: 1,
          empty: 1,
          required: false,
          characters: { min: 12, max: 12 },
        },
      ],
      next_cursor: null,
    })
  })

  it('counts chosen options, rows and files', async () => {
    const { app } = service.server
    const { id } = app.forms.create({
      title: 'Counts',
      questions: [
        {
          id: 'room',
          type: 'single_choice',
          title: 'Room',
          allow_other: true,
          options: [
            { id: 'twin', label: 'Twin' },
            { id: 'double', label: 'Double' },
          ],
        },
        {
          id: 'when',
          type: 'grid_multiple',
          title: 'When',
          rows: [{ id: 'fri', label: 'Friday' }],
          columns: [
            { id: 'am', label: 'Morning' },
            { id: 'pm', label: 'Evening' },
          ],
        },
        { id: 'cv', type: 'file', title: 'CV' },
      ],
    })
    const respond = (answers: Record<string, unknown>): unknown =>
      app.responses.create(id, {
        answers: Object.entries(answers).map(([question_id, value]) => ({ question_id, value })),
      })
    respond({ room: { ids: ['twin'], other: null }, when: { fri: ['am', 'pm'] } })
    respond({
      room: { ids: [], other: 'A tent of my own' },
      cv: [{ id: 'f1', name: 'private.pdf', size: 7 }],
    })
    respond({ room: { ids: ['twin'], other: null }, when: { fri: ['pm'] } })
    const { call } = await startMcp([], { env: plain() })
    const { questions } = await call('forms', { form: id })
    expect(questions).toEqual([
      {
        id: 'room',
        title: { untrusted: 'Room' },
        types: ['single_choice'],
        values: 'choice',
        answered: 3,
        empty: 0,
        required: true,
        options: [{ id: 'twin', count: 2 }],
        other: 1,
      },
      {
        id: 'cv',
        title: { untrusted: 'CV' },
        types: ['file'],
        values: 'files',
        answered: 1,
        empty: 2,
        required: false,
        files: { min: 1, max: 1 },
      },
      {
        id: 'when',
        title: { untrusted: 'When' },
        types: ['grid_multiple'],
        values: 'grid_multiple',
        answered: 2,
        empty: 1,
        required: false,
        options: [
          { id: 'pm', count: 2 },
          { id: 'am', count: 1 },
        ],
        rows: ['fri'],
      },
    ])
    const exact = await startMcp([], { env: service.env })
    expect((await exact.call('forms', { form: id })).questions[0].options).toEqual([
      { id: 'twin', count: 2 },
      { id: 'double', count: 0 },
    ])
  })

  it('reads a sample of the responses', async () => {
    const { call } = await startMcp([], { env: plain() })
    const sampled = await call('forms', { form: SURVEY, sample: 1 })
    expect([sampled.responses_read, sampled.is_sample]).toEqual([1, true])
    expect(sampled.questions.map(({ id }: { id: string }) => id)).toEqual(['stars', 'why'])
  })

  it('lists every form once, while others are created and changed between two pages', async () => {
    const { app } = service.server
    for (let number = 1; number <= 4; number += 1) app.forms.create({ title: `Form ${number}` })
    const { call } = await startMcp([], { env: plain() })
    const before = (await call('forms', { limit: 100 })).items.map(({ id }: { id: string }) => id)
    const first = await call('forms', { limit: 2 })
    app.forms.create({ title: 'Created meanwhile' })
    app.forms.update(PARTY, { title: 'Changed meanwhile' })
    const second = await call('forms', { limit: 2, cursor: first.next_cursor })
    const third = await call('forms', { limit: 2, cursor: second.next_cursor })
    const ids = [first, second, third].flatMap(({ items }) => items.map(({ id }: { id: string }) => id))
    expect([...ids].sort()).toEqual([...before].sort())
    expect(third.next_cursor).toBeNull()
  })

  it('hides the query of an endpoint, which may have a credential', async () => {
    const { call } = await startMcp([], { env: plain() })
    const response = await fetch(`${service.url}/api/v1/forms/${SURVEY}/webhooks`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.env.FORMWIRE_API_KEY}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ url: 'http://127.0.0.1:8080/hook?token=s3cret' }),
    })
    expect(response.status).toBe(201)
    const { endpoints } = await call('forms', { form: SURVEY })
    expect(endpoints.map(({ url }: { url: string }) => url)).toEqual([
      'http://127.0.0.1:9/hook',
      'http://127.0.0.1:8080/hook?[hidden]',
    ])
  })

  it('refuses arguments of the list for one form, and of one form for the list', async () => {
    const { call } = await startMcp([], { env: plain() })
    expect(await call('forms', { form: SURVEY, status: 'closed' })).toEqual({
      error: {
        code: 'invalid_argument',
        message: 'status: only the list takes it: leave out form',
        details: { argument: 'status' },
      },
    })
    expect((await call('forms', { sample: 5 })).error.code).toBe('invalid_argument')
  })
})

it('shows the digits of typed numbers, not the numbers', async () => {
  const { app } = service.server
  const { id } = app.forms.create({
    title: 'Salaries',
    questions: [
      { id: 'salary', type: 'number', title: 'Salary' },
      { id: 'nps', type: 'nps', title: 'Recommend?' },
    ],
  })
  app.forms.publish(id)
  app.responses.create(id, {
    answers: [
      { question_id: 'salary', value: 73519 },
      { question_id: 'nps', value: 9 },
    ],
  })
  const { call, lines } = await startMcp([], { env: service.env })
  const { questions } = await call('forms', { form: id })
  expect(questions).toMatchObject([{ digits: { min: 5, max: 5 } }, { number: { min: 9, max: 9 } }])
  expect(lines.join('\n')).not.toContain('73519')
})
