import { describe, expect, it } from 'vitest'
import { createWorld, type Json, listen, START } from './world.ts'

describe('what is sent', () => {
  it('[DLV-01] sends a submitted response to every active endpoint of its form, and to no other', async () => {
    const { server, submit, receive } = await createWorld()
    const first = await receive()
    const second = await receive()
    const elsewhere = await listen()
    const other = server.app.forms.create({ title: 'Other', questions: [] })
    await server.app.webhooks.create(other.id, { url: elsewhere.url })
    const responseId = submit()
    await server.clock.advance(0)
    expect(first.receiver.deliveries.map((delivery) => delivery.payload?.response.id)).toEqual([responseId])
    expect(second.receiver.deliveries.map((delivery) => delivery.payload?.response.id)).toEqual([responseId])
    expect(elsewhere.deliveries).toEqual([])
  })

  it('[DLV-01] does not send responses submitted before the endpoint was added', async () => {
    const { server, formId, submit, receive } = await createWorld()
    submit('before')
    await server.clock.advance('1m')
    const { receiver } = await receive()
    server.app.responses.create(formId, {
      answers: [{ question_id: 'q1', value: 'back-filled' }],
      submitted_at: '2026-11-21T09:30:59Z',
      deliver: true,
    })
    submit('after')
    await server.clock.advance('15h')
    expect(receiver.deliveries.map((delivery) => delivery.payload?.response.answers[0]?.value)).toEqual([
      'after',
    ])
  })

  it('[DLV-01] sends back-filled responses only with deliver: true', async () => {
    const { server, formId, receive } = await createWorld()
    const { receiver } = await receive()
    server.app.responses.create(formId, { answers: [{ question_id: 'q1', value: 'quiet' }] })
    await server.clock.advance('1h')
    expect(receiver.deliveries).toEqual([])
  })

  it('[DLV-02] sends a test.ping with one example answer and response id 0', async () => {
    const { server, formId, receive } = await createWorld()
    const { receiver, id } = await receive()
    const entry = server.app.webhooks.test(formId, id)
    await server.clock.advance(0)
    const [ping] = receiver.deliveries
    expect(ping?.event).toBe('test.ping')
    expect(ping?.id).toBe(entry.id)
    expect(ping?.payload).toEqual({
      event: 'test.ping',
      form: { id: formId, title: 'Feedback' },
      response: {
        id: 0,
        submitted_at: '2026-11-21T09:30:00.000Z',
        answers: [
          {
            question_id: 'example',
            title: 'How was it?',
            type: 'short_text',
            value: 'This is a test event.',
            text: 'This is a test event.',
          },
        ],
        score: null,
        max_score: null,
        meta: { device: null, browser: null, os: null, ref: null, utm: {} },
      },
    })
  })

  it('[DLV-03] sends event, form and response, and nothing else', async () => {
    const { server, formId, submit, receive } = await createWorld()
    const { receiver } = await receive()
    const responseId = submit('Grace')
    await server.clock.advance(0)
    expect(receiver.deliveries[0]?.method).toBe('POST')
    expect(receiver.deliveries[0]?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(receiver.deliveries[0]?.rawBody.toString('utf8') ?? '')).toEqual({
      event: 'response.submitted',
      form: { id: formId, title: 'Feedback' },
      response: {
        id: responseId,
        submitted_at: '2026-11-21T09:30:00.000Z',
        answers: [
          { question_id: 'q1', title: 'Your name', type: 'short_text', value: 'Grace', text: 'Grace' },
        ],
        score: null,
        max_score: null,
        meta: { device: null, browser: null, os: null, ref: null, utm: {} },
      },
    })
  })

  it('[DLV-04] signs a timestamp rounded down to whole seconds', async () => {
    const { submit, receive, server } = await createWorld({ now: START + 999 })
    const { receiver } = await receive()
    submit()
    await server.clock.advance(0)
    expect(receiver.deliveries[0]?.headers['x-service-timestamp']).toBe('1795253400')
    expect(receiver.deliveries[0]?.verified).toBe(true)
  })

  it('[ENV-04] adds unknown fields to events at every depth with extraFields', async () => {
    const { server, submit, receive } = await createWorld({ unspecified: { extraFields: 'true' } })
    const { receiver } = await receive()
    submit()
    await server.clock.advance(0)
    const payload = receiver.deliveries[0]?.payload as Json
    for (const object of [payload, payload.form, payload.response, payload.response.answers[0]]) {
      expect(object).toHaveProperty('x_added_later')
    }
    expect(receiver.deliveries[0]?.verified).toBe(true)
  })

  it('[ENV-05] writes the timestamps of events in the configured format', async () => {
    const { server, submit, receive } = await createWorld({ unspecified: { timestamps: 'seconds' } })
    const { receiver } = await receive()
    submit()
    await server.clock.advance(0)
    expect(receiver.deliveries[0]?.payload?.response.submitted_at).toBe('2026-11-21T09:30:00Z')
  })
})
