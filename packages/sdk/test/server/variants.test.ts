import { createReferenceServer, type ReferenceServer, UNSPECIFIED } from '@formwire/reference-server'
import { describe, expect, it } from 'vitest'
import { ApiError, Formwire, memoryCheckpoint, NotFoundError } from '../../src/index.ts'
import { nodeTransport } from '../../src/node.ts'

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
}

const single = Object.entries(UNSPECIFIED).flatMap(([key, values]) =>
  values.map((value) => [key, value] as const),
)

describe('on every deployment that the service document allows', () => {
  it.each(single)('[ENV-04] the SDK works with %s: %s', async (key, value) => {
    const server = createReferenceServer({ unspecified: { [key]: value }, limits: 'off' })
    await useEverything(
      server,
      new Formwire({ apiKey: server.writeKey, fetch: server.fetch, validate: 'throw', rateLimit: false }),
    )
    await server.close()
  })

  it.each([1, 2, 3, 4, 5, 6])(
    '[ENV-04] the SDK works with a random one over a socket (seed %d)',
    async (seed) => {
      const server = createReferenceServer({ unspecified: `random:${seed}`, limits: 'off' })
      const { url } = await server.listen({ port: 0 })
      const transport = nodeTransport()
      await useEverything(
        server,
        new Formwire({
          apiKey: server.writeKey,
          baseUrl: url,
          transport,
          validate: 'throw',
          rateLimit: false,
        }),
      )
      await server.close()
    },
  )
})
