import { createReferenceServer, type ReferenceServer, UNSPECIFIED } from '@formwire/reference-server'
import { describe, expect, it } from 'vitest'
import { ApiError, BadRequestError, Formwire, memoryCheckpoint, NotFoundError } from '../../src/index.ts'

const START = Date.UTC(2026, 10, 21, 9, 0, 0)

/** A form with a question and responses, some of them of one instant, some at fractions of a second. */
function fill(server: ReferenceServer): { formId: string; ids: number[] } {
  const { app } = server
  const form = app.forms.create({ title: 'Survey', questions: [{ id: 'q1', type: 'rating', title: 'How?' }] })
  app.forms.publish(form.id)
  const ids = Array.from({ length: 7 }, (_, index) => {
    const at = new Date(START + Math.floor(index / 3) * 400).toISOString()
    return app.responses.create(form.id, { answers: [{ question_id: 'q1', value: 4 }], submitted_at: at }).id
  })
  return { formId: form.id, ids }
}

/** Everything the SDK does, on one deployment. */
async function useEverything(server: ReferenceServer, formwire: Formwire): Promise<void> {
  const { formId, ids } = fill(server)

  expect((await formwire.me()).key.scope).toBe('write')
  expect((await formwire.forms.get(formId)).title).toBe('Survey')
  expect((await formwire.forms.rename(formId, 'Survey 2')).title).toBe('Survey 2')
  expect((await formwire.forms.close(formId)).status).toBe('closed')
  expect((await formwire.forms.reopen(formId)).status).toBe('published')
  const titles: string[] = []
  for await (const form of formwire.forms.list({ per_page: 1 })) titles.push(form.title)
  expect(titles).toEqual(['Survey 2'])

  const listed: number[] = []
  for await (const { id } of formwire.responses.list(formId, { per_page: 2 })) listed.push(id)
  expect(listed).toEqual([...ids].reverse())
  const [first] = ids as [number, ...number[]]
  const one = await formwire.responses.get(formId, first)
  expect(one.answers[0]).toMatchObject({ question_id: 'q1', type: 'rating', value: 4 })

  const checkpoint = memoryCheckpoint()
  const polled: number[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    for await (const { id } of formwire.responses.poll(formId, { checkpoint, once: true, per_page: 2 }))
      polled.push(id)
    const at = new Date(START + 1000 + Math.floor(turn / 2)).toISOString()
    ids.push(server.app.responses.create(formId, { answers: [], submitted_at: at }).id)
  }
  expect(polled).toEqual(ids.slice(0, -1))

  expect(await formwire.responses.delete(formId, first)).toMatchObject({ id: first, deleted: true })
  await expect(formwire.responses.get(formId, first)).rejects.toThrow(NotFoundError)

  const created = await formwire.webhooks.create(formId, { url: 'http://127.0.0.1:9/hook' })
  expect(created.secret).toMatch(/^whsec_/)
  const endpoints = await formwire.webhooks.list(formId)
  expect(endpoints.data.map(({ id }) => id)).toEqual([created.id])
  expect(await formwire.webhooks.delete(formId, created.id)).toMatchObject({ id: created.id, deleted: true })

  const errors = [
    formwire.forms.get('nosuchform00'),
    formwire.forms.list({ per_page: 101 }),
    formwire.forms.rename(formId, ''),
    formwire.forms.update(formId, {}),
  ]
  for (const result of await Promise.allSettled(errors)) {
    const error = (result as PromiseRejectedResult).reason as ApiError
    expect(error).toBeInstanceOf(ApiError)
    expect([400, 404, 422]).toContain(error.status)
    expect(error.envelope).toBe(true)
  }

  const tooLarge = await formwire.forms.rename(formId, 'x'.repeat(1_100_000)).catch((error) => error)
  expect(tooLarge).toBeInstanceOf(BadRequestError)
  expect([400, 413]).toContain(tooLarge.status)

  server.app.workspaces.update(server.workspaceId, { plan: 'starter' })
  const onReadPlan = await Promise.allSettled([formwire.forms.get(formId), formwire.forms.close(formId)])
  const outcomes = onReadPlan.map((one) => (one.status === 'rejected' ? one.reason.status : 'served'))
  expect([
    ['served', 403],
    ['served', 401],
    [403, 403],
    [401, 401],
  ]).toContainEqual(outcomes)
}

/** The first value of a key is its default: one deployment has those of all keys, each other one differs from it in one value. */
const single = Object.entries(UNSPECIFIED).flatMap(([key, values], index) =>
  values.slice(index === 0 ? 0 : 1).map((value) => [key, value] as const),
)

describe('on every deployment that the service document allows', () => {
  it.each(single)('[ENV-04] works with %s: %s', async (key, value) => {
    const server = createReferenceServer({ unspecified: { [key]: value }, limits: 'off' })
    await useEverything(
      server,
      new Formwire({ apiKey: server.writeKey, fetch: server.fetch, validate: 'throw', rateLimit: false }),
    )
    await server.close()
  })

  it.each(UNSPECIFIED.refusedRequestCounts)(
    '[ERR-05] [RATE-03] waits Retry-After once and succeeds, where rejected requests count: %s',
    async (refusedRequestCounts) => {
      const server = createReferenceServer({
        clock: 'manual',
        limits: { requestsPerMinute: 2 },
        unspecified: { refusedRequestCounts },
      })
      const waits: number[] = []
      const formwire = new Formwire({
        apiKey: server.writeKey,
        fetch: server.fetch,
        rateLimit: false,
        maxRetries: 1,
        random: () => 0,
        timeoutMs: 10_000,
        totalTimeoutMs: 600_000,
        clock: {
          now: () => server.clock.now(),
          // The wait of a 429 passes at once, the deadlines never come.
          setTimer(callback, ms) {
            if (ms === 60_000) {
              waits.push(ms)
              void server.clock.advance(ms).then(callback)
            }
            return () => undefined
          },
        },
      })
      for (let call = 0; call < 4; call += 1) expect((await formwire.me()).key.scope).toBe('write')
      expect(waits).toEqual([60_000])
      await server.close()
    },
  )
})

describe('drafts and dates on every deployment', () => {
  const choices = UNSPECIFIED.submittedDraft.flatMap((submittedDraft) =>
    UNSPECIFIED.draftSubmittedAt.flatMap((draftSubmittedAt) =>
      UNSPECIFIED.draftDeletion.map((draftDeletion) => ({ submittedDraft, draftSubmittedAt, draftDeletion })),
    ),
  )

  it.each(choices)('[POLL-02] yields each submitted draft once with %j', async (unspecified) => {
    const server = createReferenceServer({ clock: 'manual', unspecified, limits: 'off' })
    const { apiKey, fetch } = { apiKey: server.writeKey, fetch: server.fetch }
    const formwire = new Formwire({ apiKey, fetch, validate: 'throw', rateLimit: false })
    const form = server.app.forms.publish(server.app.forms.create({ title: 'Survey' }).id)
    const post = async (path: string) => {
      const response = await server.fetch(`http://formwire.test/f/${form.slug}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"answers":[]}',
      })
      return (await response.json()).data
    }
    const checkpoint = memoryCheckpoint()
    const polled: number[] = []
    const poll = async () => {
      for await (const { id } of formwire.responses.poll(form.id, { checkpoint, once: true })) polled.push(id)
    }

    const tokens = [await post('/drafts'), await post('/drafts')].map(({ token }) => token as string)
    const submitted: number[] = [(await post('')).id]
    await poll()
    for (const token of tokens) {
      await server.clock.advance('1s')
      submitted.push((await post(`/drafts/${token}/submit`)).id)
      await poll()
      await poll()
    }
    expect(polled).toEqual(submitted)

    await post('/drafts')
    const { data: drafts } = await formwire.responses.list(form.id, { status: 'in_progress' })
    expect(drafts).toHaveLength(1)
    await formwire.responses.delete(form.id, drafts[0]?.id ?? 0)
    expect((await formwire.forms.get(form.id)).response_count).toBe(
      unspecified.draftDeletion === 'countKept' ? 3 : 2,
    )
    await server.close()
  })
})
