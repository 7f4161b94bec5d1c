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

  it('[DLV-01] sends no response of before the endpoint was added, and no back-filled one without deliver: true', async () => {
    const { server, formId, submit, receive } = await createWorld()
    submit('before')
    await server.clock.advance('1m')
    const { receiver } = await receive()
    server.app.responses.create(formId, {
      answers: [{ question_id: 'q1', value: 'back-filled' }],
      submitted_at: '2026-11-21T09:30:59Z',
      deliver: true,
    })
    server.app.responses.create(formId, { answers: [{ question_id: 'q1', value: 'quiet' }] })
    submit('after')
    await server.clock.advance('15h')
    expect(receiver.deliveries.map((delivery) => delivery.payload?.response.answers[0]?.value)).toEqual([
      'after',
    ])
  })

  it('[DLV-04] signs a timestamp rounded down to whole seconds', async () => {
    const { submit, receive, server } = await createWorld({ now: START + 999 })
    const { receiver } = await receive()
    submit()
    await server.clock.advance(0)
    expect(receiver.deliveries[0]?.headers['x-service-timestamp']).toBe('1795253400')
    expect(receiver.deliveries[0]?.verified).toBe(true)
  })

  it('[ENV-04] [ENV-05] adds unknown fields to events at every depth, and writes timestamps, as configured', async () => {
    const { server, submit, receive } = await createWorld({
      unspecified: { extraFields: 'true', timestamps: 'seconds' },
    })
    const { receiver } = await receive()
    submit()
    await server.clock.advance(0)
    const payload = receiver.deliveries[0]?.payload as Json
    for (const object of [payload, payload.form, payload.response, payload.response.answers[0]])
      expect(object).toHaveProperty('x_added_later')
    expect(payload.response.submitted_at).toBe('2026-11-21T09:30:00Z')
    expect(receiver.deliveries[0]?.verified).toBe(true)
  })
})
