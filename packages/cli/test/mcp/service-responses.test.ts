import { everyQuestion } from '@formwire/reference-server/testing'
import { describe, expect, it } from 'vitest'
import { startMcp } from '../support/mcp-in-process.ts'
import { eachService, SURVEY, testService } from '../support/service.ts'

const service = eachService({ limits: 'off' })

const idsOf = (page: { items: { id: number }[] }): number[] => page.items.map(({ id }) => id)

function respond(text: string, form = SURVEY): number {
  return service.server.app.responses.create(form, { answers: [{ question_id: 'why', value: text }] }).id
}

/** What a person may enter into each question, and which part of it must not be shown. */
const HIDDEN = 'Arthur'
const PERSONAL: Readonly<Record<string, unknown>> = {
  short_text: HIDDEN,
  long_text: `${HIDDEN}\nPhilip`,
  email: `${HIDDEN}@example.com`,
  url: `https://${HIDDEN}.example/`,
  phone: '+43 664 1234567',
  date: '1979-10-12',
  time: '04:42',
  income: 424242,
  single_choice: { ids: [], other: HIDDEN },
  multiple_choice: { ids: ['hike'], other: null },
  file: [{ id: 'f1', name: `${HIDDEN}.pdf`, size: 3 }],
  signature: [{ id: 'f2', name: `${HIDDEN}.png`, size: 3 }],
  address: { line1: HIDDEN, line2: HIDDEN, city: HIDDEN, region: HIDDEN, postal: '4242', country: HIDDEN },
}

describe('the tool responses', () => {
  it('shows texts of respondents as their length', async () => {
    const { call } = await startMcp([], { env: service.env })
    expect(await call('responses', { form: SURVEY })).toEqual({
      items: [
        {
          id: 2,
          status: 'submitted',
          started_at: '2026-11-21T11:30:00.000Z',
          submitted_at: '2026-11-21T11:30:00.000Z',
          duration_sec: 0,
          score: null,
          max_score: null,
          email: null,
          answers: [
            { question_id: 'stars', type: 'rating', value: 5 },
            { question_id: 'why', type: 'long_text', value: { text: 12 } },
          ],
          meta: { members: 5 },
        },
        {
          id: 1,
          status: 'submitted',
          started_at: '2026-11-21T09:00:00.000Z',
          submitted_at: '2026-11-21T09:00:00.000Z',
          duration_sec: 0,
          score: null,
          max_score: null,
          email: { text: 14 },
          answers: [
            { question_id: 'name', type: 'short_text', value: { text: 2 } },
            { question_id: 'stars', type: 'rating', value: 4 },
          ],
          meta: { members: 5 },
        },
      ],
      total: 2,
      next_cursor: null,
    })
  })

  it.each(['default', 'variant'] as const)(
    'shows nothing that a person wrote in any of the 22 question types, with %s names',
    async (questionTypeNames) => {
      const { server, env } = await testService({ limits: 'off', unspecified: { questionTypeNames } })
      const questions = [...everyQuestion(), { id: 'income', type: 'number', title: 'Income' }]
      const { id } = server.app.forms.create({ title: 'All', questions: questions as never })
      const { id: response } = server.app.responses.create(id, {
        email: `${HIDDEN}@example.com`,
        meta: { device: HIDDEN, ref: HIDDEN, utm: { [HIDDEN]: HIDDEN } } as never,
        answers: Object.entries(PERSONAL).map(([question_id, value]) => ({ question_id, value })),
      })
      const hidden = await startMcp([], { env })
      const listed = await hidden.call('responses', { form: id })
      expect(listed.items[0].answers).toHaveLength(Object.keys(PERSONAL).length)
      expect(
        listed.items[0].answers.find((one: { question_id: string }) => one.question_id === 'income').value,
      ).toEqual({ digits: 6 })
      const one = await hidden.call('responses', { form: id, response })
      expect(one).toEqual(listed.items[0])
      expect((await hidden.call('types', { forms: [id] })).module).toContain('interface All')
      expect(hidden.lines.join('\n')).not.toMatch(/Arthur|Philip|1234567|1979-10|04:42|424242/)
      const { questions: described } = await hidden.call('forms', { form: id, limit: 100 })
      expect(described).toHaveLength(23)
      expect(described).toContainEqual(expect.objectContaining({ id: 'income', digits: { min: 6, max: 6 } }))
      expect(hidden.lines.join('\n')).not.toMatch(/Arthur|Philip|1234567|1979-10|04:42|424242/)
      const open = await startMcp(['--answers'], { env })
      const { answers, meta } = await open.call('responses', { form: id, response })
      expect(JSON.stringify(answers).match(/Arthur/g)?.length).toBeGreaterThan(10)
      expect(meta.untrusted).toContain(HIDDEN)
    },
  )

  it('shows what was chosen either way', async () => {
    const { app } = service.server
    const { id } = app.forms.create({ title: 'All', questions: everyQuestion() as never })
    const chosen = {
      short_text: 'Ada',
      email: 'ada@example.com',
      nps: 9,
      multiple_choice: { ids: ['hike', 'sauna'], other: null },
      grid_single: { service: 'poor', food: 'good' },
      grid_multiple: { friday: ['morning', 'afternoon'] },
    }
    app.responses.create(id, {
      answers: Object.entries(chosen).map(([question_id, value]) => ({ question_id, value })),
    })
    const { call } = await startMcp([], { env: service.env })
    const { answers } = (await call('responses', { form: id })).items[0]
    expect(answers.map(({ value }: { value: unknown }) => value)).toEqual([
      { text: 3 },
      { text: 15 },
      9,
      { ids: ['hike', 'sauna'] },
      [
        { row: 'service', columns: ['poor'] },
        { row: 'food', columns: ['good'] },
      ],
      [{ row: 'friday', columns: ['morning', 'afternoon'] }],
    ])
    const open = await startMcp(['--answers'], { env: service.env })
    const [, , nps, choice] = (await open.call('responses', { form: id })).items[0].answers
    expect([nps, choice]).toEqual([
      { question_id: 'nps', type: 'nps', value: 9 },
      {
        question_id: 'multiple_choice',
        type: 'multiple_choice',
        value: { ids: ['hike', 'sauna'] },
        text: { untrusted: 'Hike, Sauna' },
      },
    ])
  })

  it('filters by time and status', async () => {
    const { call } = await startMcp([], { env: service.env })
    expect(idsOf(await call('responses', { form: SURVEY, since: '2h' }))).toEqual([2])
    expect(idsOf(await call('responses', { form: SURVEY, since: '2026-11-21T09:00Z' }))).toEqual([2, 1])
    expect(idsOf(await call('responses', { form: SURVEY, status: 'in_progress' }))).toEqual([3])
    for (const since of ['yesterday', '2026-02-30', '99999999999999999999d']) {
      const { error } = await call('responses', { form: SURVEY, since })
      expect([since, error.code, error.message]).toEqual([
        since,
        'invalid_argument',
        'since: it must be an ISO 8601 time or a span',
      ])
    }
  })

  it('[POLL-02] neither repeats nor skips responses while others arrive and are deleted between two pages', async () => {
    const { app } = service.server
    for (let number = 0; number < 230; number += 1) respond(`Number ${number}`)
    const { call } = await startMcp([], { env: service.env })
    const seen: number[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const page = await call('responses', { form: SURVEY, limit: 40, ...(cursor && { cursor }) })
      seen.push(...idsOf(page))
      cursor = page.next_cursor
      // Some that were shown, and some at the end of what is to come.
      if (seen.length === 80) for (const id of seen.slice(0, 7)) app.responses.delete(SURVEY, id)
      if (seen.length === 120) for (let more = 0; more < 5; more += 1) respond('Later')
    }
    expect(seen).toEqual([...Array(230).keys()].map((at) => 233 - at).concat([2, 1]))
  })

  it('refuses a cursor of another list', async () => {
    for (let number = 0; number < 5; number += 1) respond(`Number ${number}`)
    const { call } = await startMcp([], { env: service.env })
    const { next_cursor: cursor } = await call('responses', { form: SURVEY, limit: 2 })
    for (const other of [
      { form: SURVEY, since: '1d', cursor },
      { form: SURVEY, status: 'in_progress', cursor },
      { form: 'party0000001', cursor },
      { form: SURVEY, cursor: 'abc' },
      { form: SURVEY, cursor: '1.1' },
      { form: SURVEY, cursor: '99.0' },
      { form: SURVEY, cursor: '' },
      { form: SURVEY, cursor: '__proto__' },
    ]) {
      const { error } = await call('responses', other)
      expect([other, error?.code, error?.details]).toEqual([
        other,
        'invalid_argument',
        { argument: 'cursor' },
      ])
    }
    expect(idsOf(await call('responses', { form: SURVEY, limit: 2, cursor }))).toEqual([6, 5])
  })

  it('[RESP-03] names what was not found', async () => {
    const { call } = await startMcp([], { env: service.env })
    expect((await call('responses', { form: SURVEY, response: 99 })).error).toEqual({
      code: 'not_found',
      message: `response 99 of form ${SURVEY} not found`,
      hint: `the tool responses lists them: {"form": "${SURVEY}"}`,
      status: 404,
    })
    expect((await call('responses', { form: 'missing00001', response: 1 })).error.message).toBe(
      'form missing00001 not found',
    )
    const { error } = await call('responses', { form: SURVEY, response: 1, since: '1d' })
    expect(error.message).toBe('since: only the list takes it: leave out response')
  })
})
