import { createReferenceServer, UNSPECIFIED } from '@formwire/reference-server'
import { describe, expect, it } from 'vitest'
import { Formwire, memoryCheckpoint } from '../../src/index.ts'

describe('on every deployment that the service document allows', () => {
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
