import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { expect } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import type { ManualClock } from '../../src/clock/index.ts'
import type { UnspecifiedKey } from '../../src/index.ts'
import { everyAnswer, everyQuestion, TEXTS, TYPE_NAMES } from './every-answer.ts'
import { type MadeForm, makeForm, START, submit, type World } from './world.ts'

/** Drafts of a form as the API lists them. */
const draftsOf = async ({ ask }: World, { path }: MadeForm) =>
  (await ask('GET', `${path}/responses?status=in_progress`)).json.data

/** A receiver on loopback that is an endpoint of the form and leaves every attempt open until the test ends it. */
async function withHook<Result>(
  world: World,
  form: MadeForm,
  work: (hook: {
    /** Waits for the next attempt. */
    attempt(): Promise<{ body: { form: { title: string } }; end(status: number): void }>
    /** The newest entry of the log. */
    // biome-ignore lint/suspicious/noExplicitAny: compared with literals
    entry(): Promise<any>
    pause(): Promise<unknown>
  }) => Promise<Result>,
): Promise<Result> {
  const attempts: { body: string; response: ServerResponse }[] = []
  const receiver = createServer(async (request, response) => {
    attempts.push({ body: Buffer.concat(await request.toArray()).toString(), response })
    receiver.emit('attempt')
  })
  const url = await serve(receiver)
  const { id } = (await world.ask('POST', `${form.path}/webhooks`, { url })).json.data
  const hook = `/_app/forms/${form.id}/webhooks/${id}`
  return await work({
    async attempt() {
      if (attempts.length === 0) await once(receiver, 'attempt')
      const { body, response } = attempts.shift()!
      return { body: JSON.parse(body), end: (status) => void response.writeHead(status).end() }
    },
    entry: async () => (await world.ask('GET', `${hook}/deliveries`)).json.data[0],
    pause: () => world.ask('POST', `${hook}/pause`),
  })
}

type Key = Extract<
  UnspecifiedKey,
  | 'draftDeletion'
  | 'datesChangeStatus'
  | 'submittedDraft'
  | 'questionTypeNames'
  | 'answerTexts'
  | 'retryDelayFrom'
  | 'retriedBody'
  | 'attemptInFlightAtPause'
>

/** How a deployment shows its values for forms, submissions and their deliveries. */
export const SHOWN_OF_SUBMISSIONS: Readonly<Record<Key, (world: World) => Promise<string>>> = {
  async draftDeletion(world) {
    const form = await makeForm(world)
    await submit(world, form)
    const count = async () => (await world.ask('GET', form.path)).json.data.response_count
    const deleteDraft = async () => {
      await world.ask('POST', `/f/${form.slug}/drafts`, { answers: [] })
      const [draft] = await draftsOf(world, form)
      expect((await world.ask('DELETE', `${form.path}/responses/${draft.id}`)).status).toBe(200)
      return count()
    }
    expect(await count()).toBe(1)
    const after = await deleteDraft()
    expect(await deleteDraft()).toBe(after)
    expect((await world.ask('GET', `${form.path}/responses`)).json.meta.total).toBe(1)
    return after === 1 ? 'countKept' : 'countLowered'
  },
  async datesChangeStatus(world) {
    const ends = await makeForm(world, { title: 'Ends', closes_at: '2026-03-01T13:00:00Z' })
    const fills = await makeForm(world, { title: 'Fills', response_limit: 1 })
    const later = await makeForm(world, { title: 'Later', opens_at: '2026-03-01T14:00:00Z' })
    const titles = async (status: string) =>
      (await world.ask('GET', `/api/v1/forms?status=${status}`)).json.data.map(
        ({ title }: { title: string }) => title,
      )
    expect(await titles('published')).toEqual(['Later', 'Fills', 'Ends'])
    await submit(world, fills)
    await world.server.clock.advance('1h')
    const [shown, full, unopened] = await Promise.all(
      [ends, fills, later].map(async ({ path }) => (await world.ask('GET', path)).json.data),
    )
    expect([full.status, unopened.status]).toEqual([shown.status, 'published'])
    expect((await world.ask('GET', `/_app/forms/${ends.id}`)).json.data.status).toBe(shown.status)
    expect(shown.updated_at).toBe('2026-03-01T12:00:00.000Z')
    const all = (await world.ask('GET', '/api/v1/forms')).json.data
    expect(all).toEqual([unopened, full, shown])
    const closed = shown.status === 'closed'
    expect(await titles('published')).toEqual(closed ? ['Later'] : ['Later', 'Fills', 'Ends'])
    expect(await titles('closed')).toEqual(closed ? ['Fills', 'Ends'] : [])
    return String(closed)
  },
  async submittedDraft(world) {
    const form = await makeForm(world)
    const { token } = (await world.ask('POST', `/f/${form.slug}/drafts`, { answers: [] })).json.data
    const [draft] = await draftsOf(world, form)
    await world.server.clock.advance('1m')
    return withHook(world, form, async ({ attempt, entry }) => {
      const { id } = (await world.ask('POST', `/f/${form.slug}/drafts/${token}/submit`)).json.data
      ;(await attempt()).end(200)
      await world.server.clock.advance(0)
      expect((await entry()).payload.response.id).toBe(id)
      expect(await draftsOf(world, form)).toEqual([])
      const { data } = (await world.ask('GET', `${form.path}/responses`)).json
      expect(data).toMatchObject([{ id, status: 'submitted', started_at: START, duration_sec: 60 }])
      expect((await world.ask('POST', `/f/${form.slug}/drafts/${token}/submit`)).status).toBe(404)
      if (id === draft.id) return 'sameId'
      expect((await world.ask('GET', `${form.path}/responses/${draft.id}`)).status).toBe(404)
      return 'newId'
    })
  },
  async questionTypeNames(world) {
    const types = (await answersEverywhere(world)).map(({ type }) => type)
    if (types.join() === everyQuestion.map(({ type }) => type).join()) return 'default'
    expect(types).toEqual(TYPE_NAMES)
    return 'variant'
  },
  async answerTexts(world) {
    const texts = (await answersEverywhere(world)).map(({ text }) => text)
    if (texts.join() === TEXTS.default.join()) return 'default'
    expect(texts).toEqual(TEXTS.variant)
    return 'variant'
  },
  async retryDelayFrom(world) {
    const form = await makeForm(world)
    return withHook(world, form, async ({ attempt, entry }) => {
      await submit(world, form)
      const first = await attempt()
      // What takes time in the world takes none on a manual clock, unless it is put ahead.
      const clock = world.server.clock as ManualClock
      clock.set(clock.now() + 5000)
      first.end(500)
      await clock.advance(0)
      const { next_attempt_at } = await entry()
      await clock.advance('54999ms')
      expect((await entry()).attempts).toBe(1)
      if (next_attempt_at === '2026-03-01T12:01:05.000Z') return 'end'
      expect(next_attempt_at).toBe('2026-03-01T12:01:00.000Z')
      return 'start'
    })
  },
  async retriedBody(world) {
    const form = await makeForm(world)
    return withHook(world, form, async ({ attempt, entry }) => {
      await submit(world, form)
      const first = await attempt()
      first.end(500)
      expect(first.body.form.title).toBe('Form')
      await world.server.clock.advance(0)
      await world.ask('PATCH', form.path, { title: 'Renamed' })
      expect((await entry()).payload).toEqual(first.body)
      const advanced = world.server.clock.advance('1m')
      const second = await attempt()
      second.end(200)
      await advanced
      expect((await entry()).payload).toEqual(second.body)
      expect(second.body).toEqual({
        ...first.body,
        form: { id: form.id, title: second.body.form.title },
      })
      return second.body.form.title === 'Renamed' ? 'fresh' : 'sameBytes'
    })
  },
  async attemptInFlightAtPause(world) {
    const form = await makeForm(world)
    return withHook(world, form, async ({ attempt, entry, pause }) => {
      await submit(world, form)
      const inFlight = await attempt()
      await pause()
      const { status, note } = await entry()
      inFlight.end(200)
      await world.server.clock.advance(0)
      const ended = await entry()
      if (status === 'pending') {
        expect(ended).toMatchObject({ status: 'delivered', http_status: 200, attempts: 1, note: null })
        return 'endsByItself'
      }
      expect([status, note]).toEqual([
        'failed',
        'The endpoint is paused. Resume it and replay this delivery.',
      ])
      expect(ended).toMatchObject({ status: 'failed', http_status: null, attempts: 0, note })
      return 'failedAtOnce'
    })
  },
}

/** The answers of a response to every question type, which API, control API and events show alike. */
async function answersEverywhere(world: World): Promise<{ type: string; text: string }[]> {
  const form = await makeForm(world, { questions: everyQuestion })
  expect(
    (await world.ask('GET', `/_app/forms/${form.id}`)).json.data.questions.map(
      ({ type }: { type: string }) => type,
    ),
  ).toEqual(everyQuestion.map(({ type }) => type))
  return withHook(world, form, async ({ attempt, entry }) => {
    const responses = `/_app/forms/${form.id}/responses`
    const { id, answers } = (await world.ask('POST', responses, { answers: everyAnswer, deliver: true })).json
      .data
    ;(await attempt()).end(200)
    await world.server.clock.advance(0)
    expect((await entry()).payload.response.answers).toEqual(answers)
    expect((await world.ask('GET', `${responses}/${id}`)).json.data.answers).toEqual(answers)
    expect((await world.ask('GET', `${form.path}/responses/${id}`)).json.data.answers).toEqual(answers)
    expect((await world.ask('GET', `${form.path}/responses`)).json.data[0].answers).toEqual(answers)
    expect(answers.map(({ value }: { value: unknown }) => value)).toEqual(
      everyAnswer.map(({ value }) => value),
    )
    return answers
  })
}
