import { createReferenceServer } from '@formwire/reference-server'
import { startFormwire } from '@formwire/reference-server/testing'
import { ApiError, Formwire, FormwireError, NotFoundError } from '@formwire/sdk'
import { signWebhook, verifyWebhook, WebhookVerificationError } from '@formwire/webhook-verify'
import { describe, expect, it } from 'vitest'
import { PATIENT } from '../support/patience.ts'

describe('the packages together', () => {
  it('[POLL-01] reads, pages and polls in process without duplicates', async () => {
    const { server, clientOptions } = await startFormwire()
    const formwire = new Formwire(clientOptions)
    const form = await server.app.forms.create({
      title: 'Kit',
      questions: [{ id: 'q1', type: 'short_text', title: 'Name' }],
    })
    await server.app.forms.publish(form.id)
    for (let i = 0; i < 30; i += 1) {
      await server.app.responses.create(form.id, { answers: [{ question_id: 'q1', value: `v${i}` }] })
    }
    const page = await formwire.responses.list(form.id, { per_page: 10 })
    expect([page.data.length, page.meta.total, page.hasNextPage()]).toEqual([10, 30, true])
    expect((await page.nextPage())?.meta.page).toBe(2)
    const all = []
    for await (const response of formwire.responses.list(form.id, { per_page: 7 })) all.push(response.id)
    expect(new Set(all).size).toBe(30)
    const once = async () => {
      const seen = []
      for await (const response of formwire.responses.poll(form.id, { once: true, checkpoint }))
        seen.push(response.id)
      return seen
    }
    const saved = new Map<string, unknown>()
    const checkpoint = {
      load: async (key: string) => saved.get(key) as never,
      save: async (key: string, state: unknown) => void saved.set(key, JSON.parse(JSON.stringify(state))),
    }
    const first = await once()
    expect(first).toEqual([...first].sort((a, b) => a - b))
    expect(first).toHaveLength(30)
    expect(await once()).toEqual([])
    const error: unknown = await formwire.forms.get('AAAAAAAAAAAA').catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toBeInstanceOf(FormwireError)
    expect(error).toMatchObject({ status: 404, code: 'not_found' })
    await server.close()
  })

  it('[DLV-10] verifies a delivery of the server by the server’s clock', async () => {
    const { server, receiver, clientOptions } = await startFormwire()
    const formwire = new Formwire(clientOptions)
    const form = await server.app.forms.create({ title: 'Kit', questions: [] })
    await server.app.forms.publish(form.id)
    const hook = await formwire.webhooks.create(form.id, { url: receiver.url })
    await server.app.responses.create(form.id, { answers: [], deliver: true })
    await receiver.waitFor(1, PATIENT)
    const [delivery] = receiver.deliveries
    if (!delivery) throw new Error('nothing was received')
    const event = verifyWebhook({
      secret: ['whsec_other', hook.secret],
      headers: delivery.headers,
      body: delivery.rawBody,
      now: () => server.clock.now(),
    })
    expect(event.type).toBe('response.submitted')
    expect(() =>
      verifyWebhook({
        secret: 'whsec_other',
        headers: delivery.headers,
        body: delivery.rawBody,
        now: () => server.clock.now(),
      }),
    ).toThrow(WebhookVerificationError)
    await server.close()
  })

  it('[DLV-04] produces the signature of the openssl vector', () => {
    // printf '%s' '1700000000.{}' | openssl dgst -sha256 -hmac whsec_test
    const { headers, body } = signWebhook({
      secret: 'whsec_test',
      event: 'test.ping',
      payload: {
        form: { id: 'AAAAAAAAAAAA', title: 'T' },
        response: {
          id: 0,
          submitted_at: '2023-11-14T22:13:20.000Z',
          answers: [],
          score: null,
          max_score: null,
          meta: {},
        },
      },
      timestamp: 1_700_000_000,
    })
    const event = verifyWebhook({ secret: 'whsec_test', headers, body, now: 1_700_000_000_000 })
    expect([event.type, event.timestamp.toISOString()]).toEqual(['test.ping', '2023-11-14T22:13:20.000Z'])
  })

  it('advances the clock of an in-process server and handles fetch without a socket', async () => {
    const server = createReferenceServer({ clock: 'manual' })
    const response = await server.fetch(new Request('http://formwire.test/_app/health'))
    expect(response.status).toBe(200)
    const before = server.clock.now()
    await server.clock.advance('12h')
    expect(server.clock.now() - before).toBe(43_200_000)
    await server.close()
  })
})
