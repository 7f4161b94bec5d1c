import { verifyWebhook } from '@formwire/webhook-verify'
import { describe, expect, it } from 'vitest'
import { createReferenceServer } from '../../src/index.ts'
import { createMockReceiver } from '../../src/receiver/index.ts'
import { UNSPECIFIED } from '../../src/unspecified.ts'

/** What can change a delivery: its body, its instants, or when it is sent. */
const single = (
  ['timestamps', 'extraFields', 'questionTypeNames', 'answerTexts', 'retriedBody', 'retryDelayFrom'] as const
).flatMap((key) => UNSPECIFIED[key].map((value) => [key, value] as const))

describe('webhook-verify on every deployment that the service document allows', () => {
  it.each(single)('[ENV-04] [DLV-10] accepts every delivery with %s: %s', async (key, value) => {
    const server = createReferenceServer({ clock: 'manual', unspecified: { [key]: value } })
    const receiver = await createMockReceiver({ script: ['500'] }).listen()
    try {
      const questions = [{ id: 'q', type: 'rating', title: 'How?' }] as const
      const form = server.app.forms.create({ title: 'Survey', questions: [...questions] })
      server.app.forms.publish(form.id)
      const { id, secret } = await server.app.webhooks.create(form.id, { url: receiver.url })
      const answers = [{ question_id: 'q', value: 4 }]
      const response = server.app.responses.create(form.id, { answers, deliver: true })
      await server.clock.advance('1m')
      server.app.webhooks.test(form.id, id)
      await server.clock.advance(0)
      const events = receiver.deliveries.map(({ headers, rawBody, timestamp }) =>
        verifyWebhook({ secret, headers, body: rawBody, now: timestamp * 1000 }),
      )
      const example = {
        question_id: 'example',
        type: key === 'questionTypeNames' && value === 'variant' ? 'text' : 'short_text',
      }
      const submitted = { type: 'response.submitted', response: { id: response.id, answers: [{ value: 4 }] } }
      expect(events).toMatchObject([
        submitted,
        submitted,
        { type: 'test.ping', response: { id: 0, answers: [example] } },
      ])
    } finally {
      await receiver.close()
      await server.close()
    }
  })
})
