import { type FormwireKit, startFormwire } from '@formwire/reference-server/testing'
import {
  type BadRequestError,
  type FormResponse,
  Formwire,
  isKnownAnswer,
  memoryCheckpoint,
  NotFoundError,
  UnauthorizedError,
  ValidationError,
} from '@formwire/sdk'
import { verifyWebhook } from '@formwire/webhook-verify'
import { afterEach, describe, expect, it } from 'vitest'
import { PATIENT } from '../support/patience.ts'
import { DRAFT_FORM, FORM, NOON, SEED, SWEEP } from './support.ts'

let kit: FormwireKit | undefined
afterEach(() => kit?.close())

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

const ids = (responses: readonly FormResponse[]): number[] => responses.map((response) => response.id)

describe('the SDK and webhook-verify with any unspecified behaviour', () => {
  // Every second one runs over a socket, for compression and connections.
  it.each(SWEEP.map((unspecified, index) => ({ unspecified, listen: index % 2 === 1 })))(
    '[ENV-04] complete the end-to-end scenario with $unspecified',
    async ({ unspecified, listen }) => {
      kit = await startFormwire({
        seed: SEED,
        now: NOON,
        unspecified,
        listen,
        limits: { requestsPerMinute: 1000 },
      })
      const { server, receiver } = kit
      const formwire = new Formwire({ ...kit.clientOptions, validate: 'throw', maxRetries: 0 })

      expect((await formwire.me()).key.scope).toBe('write')
      expect((await collect(formwire.forms.list({ per_page: 1 }))).map((form) => form.title)).toEqual([
        'Swept',
        'Not yet',
        'Over',
      ])
      expect((await formwire.forms.get(FORM)).response_count).toBe(30)

      const responses = await collect(formwire.responses.list(FORM, { per_page: 7 }))
      expect(new Set(ids(responses)).size).toBe(30)
      expect(ids(responses)).toEqual([...ids(responses)].sort((a, b) => b - a))
      // The service documents the names of only two types.
      const known = server.unspecified.questionTypeNames === 'default' ? 22 : 2
      const types = responses.flatMap(({ answers }) => answers.filter(isKnownAnswer).map(({ type }) => type))
      expect(new Set(types).size).toBe(known)
      expect(responses.every((response) => !Number.isNaN(Date.parse(response.submitted_at ?? '')))).toBe(true)
      const drafts = await formwire.responses.list(FORM, { status: 'in_progress' })
      expect(drafts.data.map((draft) => draft.status)).toEqual(['in_progress', 'in_progress'])
      expect((await formwire.responses.list(FORM, { page: 1 })).meta.total).toBe(30)

      const checkpoint = memoryCheckpoint()
      const poll = () => collect(formwire.responses.poll(FORM, { checkpoint, once: true, per_page: 11 }))
      expect(ids(await poll())).toEqual(ids(responses).reverse())
      expect(await poll()).toEqual([])

      const endpoint = await formwire.webhooks.create(FORM, { url: receiver.url })
      expect(endpoint.secret).toMatch(/^whsec_/)
      const submitted = server.app.responses.create(FORM, {
        answers: [
          { question_id: 'short_text', value: 'Ada' },
          { question_id: 'email', value: 'ada@example.com' },
        ],
        deliver: true,
      })
      const [delivery] = await receiver.waitFor(1, PATIENT)
      const event = verifyWebhook({
        secret: endpoint.secret,
        headers: delivery!.headers,
        body: delivery!.rawBody,
        now: () => server.clock.now(),
      })
      expect(event).toMatchObject({
        type: 'response.submitted',
        form: { id: FORM, title: 'Swept' },
        response: { id: submitted.id },
      })
      await kit.waitForDelivery({ status: 'delivered' }, PATIENT)
      expect(ids(await poll())).toEqual([submitted.id])
      expect((await formwire.webhooks.list(FORM)).data.map((one) => one.id)).toEqual([endpoint.id])
      await formwire.webhooks.delete(FORM, endpoint.id)
      expect((await formwire.webhooks.list(FORM)).data).toEqual([])

      expect((await formwire.forms.rename(FORM, 'Swept twice')).title).toBe('Swept twice')
      expect((await formwire.forms.close(FORM)).status).toBe('closed')
      expect((await formwire.forms.reopen(FORM)).status).toBe('published')
      expect(await formwire.responses.delete(FORM, submitted.id)).toMatchObject({
        id: submitted.id,
        deleted: true,
      })
      expect((await formwire.forms.get(FORM)).response_count).toBe(30)

      await expect(formwire.responses.get(FORM, submitted.id)).rejects.toThrow(NotFoundError)
      await expect(formwire.forms.list({ per_page: 101 })).rejects.toThrow(ValidationError)
      await expect(formwire.webhooks.create(FORM, { url: 'ftp://example.com/' })).rejects.toThrow(
        ValidationError,
      )
      const refused = await formwire.forms.close(DRAFT_FORM).catch((error: unknown) => error)
      expect(refused).toMatchObject({ name: expect.stringMatching(/Error$/), status: expect.any(Number) })
      expect([400, 403, 409, 422]).toContain((refused as BadRequestError).status)
      const stranger = new Formwire({ ...kit.clientOptions, apiKey: 'svc_0000000000000000', maxRetries: 0 })
      await expect(stranger.me()).rejects.toThrow(UnauthorizedError)
    },
  )
})
