import { describe, expect, it } from 'vitest'
import { createWorld } from './world.ts'

describe('a pending delivery', () => {
  it.each([
    ['retry', { status: 'pending', next_attempt_at: '2026-11-21T09:30:10.000Z', note: null }, 2],
    [
      'cancel',
      {
        status: 'failed',
        next_attempt_at: null,
        note: 'The delivery was cancelled. Replay it to send it again.',
      },
      1,
    ],
  ])('[DLV-06] is shown as it is after %s', async (verb, shown, sent) => {
    const { server, formId, submit, receive, control } = await createWorld()
    const { receiver, id } = await receive({ script: ['500', '500'] })
    submit()
    await server.clock.advance('10s')
    const [pending] = server.app.deliveries.list(formId, id)
    const { status, body } = await control('POST', `/_app/deliveries/${pending?.id}/${verb}`)
    expect([status, body.data]).toMatchObject([200, { id: pending?.id, attempts: 1, ...shown }])
    await server.clock.advance(0)
    expect(receiver.deliveries.map((one) => one.id)).toEqual(Array(sent).fill(pending?.id))
  })

  it.each(['retry', 'cancel'])('answers 422 to %s of a delivery that has ended', async (verb) => {
    const { server, formId, submit, receive, control } = await createWorld()
    const { id } = await receive()
    submit()
    await server.clock.advance(0)
    const [ended] = server.app.deliveries.list(formId, id)
    const { status, body } = await control('POST', `/_app/deliveries/${ended?.id}/${verb}`)
    expect(status).toBe(422)
    expect(body.error.message).toMatch(/^The delivery is delivered: only a pending delivery can be /)
  })

  it.each([
    ['GET', ''],
    ['POST', '/replay'],
    ['POST', '/retry'],
    ['POST', '/cancel'],
  ])('[DLV-08] answers 404 to %s of an unknown delivery%s', async (method, verb) => {
    const { control } = await createWorld()
    expect((await control(method, `/_app/deliveries/dlv_nothing${verb}`)).status).toBe(404)
  })

  it('[HOOK-07] is counted for its endpoint, also outside the latest 50', async () => {
    const { server, formId, submit, receive, control } = await createWorld()
    const { id } = await receive({ script: Array<string>(53).fill('500') })
    for (let count = 0; count < 53; count += 1) submit()
    await server.clock.advance(0)
    const path = `/_app/forms/${formId}/webhooks/${id}`
    expect((await control('GET', path)).body.data).toMatchObject({
      id,
      form_id: formId,
      pending_deliveries: 53,
    })
    server.app.webhooks.pause(formId, id)
    expect((await control('GET', path)).body.data).toMatchObject({ active: false, pending_deliveries: 0 })
  })
})
