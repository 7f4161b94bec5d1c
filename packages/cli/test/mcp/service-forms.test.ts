import { everyQuestion } from '@formwire/reference-server/testing'
import { describe, expect, it } from 'vitest'
import { startMcp } from '../support/mcp-in-process.ts'
import { eachService, PARTY, SURVEY } from '../support/service.ts'

const service = eachService({ limits: 'off' })

/** Environment without the control API, which another service does not have. */
const plain = (): Record<string, string> => ({ ...service.env, FORMWIRE_ADMIN_TOKEN: '' })

/** What a list shows of the form with responses. */
const SURVEY_ROW = {
  id: SURVEY,
  title: { untrusted: 'Customer survey' },
  status: 'published',
  response_count: 2,
  updated_at: '2026-11-21T10:00:00.000Z',
}

describe('the tool forms', () => {
  it('lists forms with their status and counts', async () => {
    const { call } = await startMcp([], { env: plain() })
    expect(await call('forms')).toEqual({
      items: [
        SURVEY_ROW,
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
        ...SURVEY_ROW,
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
    const questions = everyQuestion().map((question) => ({ ...question, required: false }))
    const { id } = app.forms.create({ title: 'Counts', questions: questions as never })
    const chosen = (ids: string[], other: string | null = null) => ({ ids, other })
    for (const answers of [
      { single_choice: chosen(['twin']), grid_multiple: { friday: ['morning', 'evening'] } },
      { single_choice: chosen([], 'In my own words'), file: [{ id: 'f1', name: 'private.pdf', size: 7 }] },
      { single_choice: chosen(['twin']), grid_multiple: { friday: ['evening'] } },
    ])
      app.responses.create(id, {
        answers: Object.entries(answers).map(([question_id, value]) => ({ question_id, value })),
      })
    const { call } = await startMcp([], { env: plain() })
    const { questions: counted } = await call('forms', { form: id })
    expect(counted).toMatchObject([
      {
        id: 'single_choice',
        answered: 3,
        empty: 0,
        required: true,
        options: [{ id: 'twin', count: 2 }],
        other: 1,
      },
      { id: 'file', values: 'files', answered: 1, empty: 2, files: { min: 1, max: 1 } },
      {
        id: 'grid_multiple',
        values: 'grid_multiple',
        answered: 2,
        empty: 1,
        options: [
          { id: 'evening', count: 2 },
          { id: 'morning', count: 1 },
        ],
        rows: ['friday'],
      },
    ])
    const exact = await startMcp([], { env: service.env })
    const { questions: all } = await exact.call('forms', { form: id, limit: 100 })
    const { options } = all.find((question: { id: string }) => question.id === 'single_choice')
    expect(options[0]).toEqual({ id: 'twin', count: 2 })
    expect(options.slice(1).map(({ count }: { count: number }) => count)).toEqual([0, 0])
  })

  it('reads a sample of the responses', async () => {
    const { call } = await startMcp([], { env: plain() })
    const sampled = await call('forms', { form: SURVEY, sample: 1 })
    expect([sampled.responses_read, sampled.is_sample]).toEqual([1, true])
    expect(sampled.questions.map(({ id }: { id: string }) => id)).toEqual(['stars', 'why'])
  })

  it('hides the query of an endpoint, which may have a credential', async () => {
    const { call } = await startMcp([], { env: plain() })
    await service.server.app.webhooks.create(SURVEY, { url: 'http://127.0.0.1:8080/hook?token=s3cret' })
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
