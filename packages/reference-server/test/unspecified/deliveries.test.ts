import { verifyWebhook } from '@formwire/webhook-verify'
import { describe, expect, it } from 'vitest'
import { UNSPECIFIED } from '../../src/unspecified.ts'
import { createWorld } from '../delivery/world.ts'

/** What can change a delivery: its body, its instants, or when it is sent. */
const single = (
  ['timestamps', 'extraFields', 'questionTypeNames', 'answerTexts', 'retriedBody', 'retryDelayFrom'] as const
).flatMap((key) => UNSPECIFIED[key].map((value) => [key, value] as const))

describe('webhook-verify on every deployment that the service document allows', () => {
  it.each(single)('[ENV-04] [DLV-10] accepts every delivery with %s: %s', async (key, value) => {
    const { server, formId, submit, receive } = await createWorld({ unspecified: { [key]: value } })
    const { receiver, id, secret } = await receive({ script: ['500'] })
    const response = { id: submit('Ada'), answers: [{ value: 'Ada' }] }
    await server.clock.advance('1m')
    server.app.webhooks.test(formId, id)
    await server.clock.advance(0)
    const events = receiver.deliveries.map(({ headers, rawBody, timestamp }) =>
      verifyWebhook({ secret, headers, body: rawBody, now: timestamp * 1000 }),
    )
    const example = {
      question_id: 'example',
      type: key === 'questionTypeNames' && value === 'variant' ? 'text' : 'short_text',
    }
    expect(events).toMatchObject([
      { type: 'response.submitted', response },
      { type: 'response.submitted', response },
      { type: 'test.ping', response: { id: 0, answers: [example] } },
    ])
  })
})
