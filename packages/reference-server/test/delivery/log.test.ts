import { describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { newDelivery } from '../../src/domain/delivery.ts'
import { DeliveriesTable } from '../../src/store/deliveries.ts'
import { createWorld, START_SECONDS } from './world.ts'

const DAY = 86_400_000

describe('the delivery log', () => {
  it('[DLV-07] shows a delivery as documented', async () => {
    const { server, formId, submit, receive, control } = await createWorld()
    const { receiver, id } = await receive({ script: [{ status: 503, body: 'try later' }] })
    const responseId = submit('Ada')
    await server.clock.advance(0)
    const { body } = await control('GET', `/_app/forms/${formId}/webhooks/${id}/deliveries`)
    const payload = JSON.parse(receiver.deliveries[0]!.rawBody.toString('utf8'))
    expect(body.data).toEqual([
      {
        id: receiver.deliveries[0]?.id,
        event: 'response.submitted',
        status: 'pending',
        response_id: responseId,
        payload,
        http_status: 503,
        error: 'http_503',
        earlier_errors: [],
        duration_ms: expect.any(Number),
        receiver_answer: 'try later',
        attempts: 1,
        next_attempt_at: '2026-11-21T09:31:00.000Z',
        note: null,
        created_at: '2026-11-21T09:30:00.000Z',
        form_id: formId,
        webhook_id: id,
      },
    ])
  })

  it('[DLV-07] shows a delivery with its raw body and every attempt', async () => {
    const { server, submit, receive, control } = await createWorld()
    const { receiver } = await receive({ script: [{ status: 503, body: 'try later' }, 'reset', '200'] })
    submit('Zoë')
    await server.clock.advance('10m')
    const [first, second, third] = receiver.deliveries
    const { status, body } = await control('GET', `/_app/deliveries/${first?.id}`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      id: first?.id,
      status: 'delivered',
      http_status: 200,
      receiver_answer: '',
      next_attempt_at: null,
      raw_body: first?.rawBody.toString('utf8'),
    })
    expect(body.data.attempts).toEqual([
      {
        number: 1,
        started_at: '2026-11-21T09:30:00.000Z',
        duration_ms: expect.any(Number),
        http_status: 503,
        error: 'http_503',
        signature: first?.signature,
        timestamp: START_SECONDS,
        receiver_answer: 'try later',
      },
      {
        number: 2,
        started_at: '2026-11-21T09:31:00.000Z',
        duration_ms: expect.any(Number),
        http_status: null,
        error: 'reset',
        signature: second?.signature,
        timestamp: START_SECONDS + 60,
        receiver_answer: null,
      },
      {
        number: 3,
        started_at: '2026-11-21T09:36:00.000Z',
        duration_ms: expect.any(Number),
        http_status: 200,
        error: null,
        signature: third?.signature,
        timestamp: START_SECONDS + 360,
        receiver_answer: '',
      },
    ])
  })

  it('[DLV-07] shows the latest 50, newest first', async () => {
    const { server, formId, submit, receive } = await createWorld()
    const { id } = await receive()
    const ids: number[] = []
    for (let count = 0; count < 60; count += 1) ids.push(submit())
    await server.clock.advance(0)
    const shown = server.app.deliveries.list(formId, id).map((entry) => entry.response_id)
    expect(shown).toEqual(ids.slice(10).reverse())
  })

  it('[DLV-07] shows the latest 50 of pending and finished deliveries together', async () => {
    const { server, formId, submit, receive } = await createWorld()
    const { id } = await receive({ script: Array.from({ length: 80 }, (_, turn) => (turn % 2 ? 500 : 200)) })
    const ids: number[] = []
    for (let count = 0; count < 80; count += 1) ids.push(submit())
    await server.clock.advance(0)
    const log = server.app.deliveries.list(formId, id)
    expect(log.map((entry) => entry.response_id)).toEqual(ids.slice(30).reverse())
    expect(new Set(log.map((entry) => entry.status))).toEqual(new Set(['delivered', 'pending']))
  })

  it('[DLV-07] still tries waiting entries outside the latest 50, and can replay them', async () => {
    const { server, formId, submit, receive } = await createWorld()
    const { receiver, id } = await receive({ script: Array<string>(60).fill('500') })
    for (let count = 0; count < 60; count += 1) submit()
    await server.clock.advance(0)
    const shown = new Set(server.app.deliveries.list(formId, id).map((entry) => entry.id))
    const outside = receiver.deliveries.map((delivery) => delivery.id).filter((one) => !shown.has(one))
    expect(outside).toHaveLength(10)
    const replayed = server.app.deliveries.replay(outside[0]!)
    await server.clock.advance('1m')
    expect(receiver.deliveries.filter((delivery) => delivery.id === outside[1])).toHaveLength(2)
    expect(receiver.deliveries.filter((delivery) => delivery.id === replayed.id)).toHaveLength(1)
    expect(server.app.deliveries.get(outside[0]!).status).toBe('delivered')
  })

  it('[DLV-07] keeps about 250 finished deliveries per endpoint', async () => {
    const { server, submit, receive } = await createWorld()
    const { receiver } = await receive()
    for (let count = 0; count < 400; count += 1) submit()
    await server.clock.advance(0)
    const kept = receiver.deliveries.filter(({ id }) => {
      try {
        return server.app.deliveries.get(id).id === id
      } catch {
        return false
      }
    })
    expect(kept).toHaveLength(250)
  })

  it('[DLV-08] replays a copy as a new delivery with a new id', async () => {
    const { server, formId, submit, receive, control } = await createWorld()
    const { receiver, id } = await receive()
    const responseId = submit()
    await server.clock.advance('1m')
    const [original] = server.app.deliveries.list(formId, id)
    const { status, body } = await control('POST', `/_app/deliveries/${original?.id}/replay`)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      status: 'pending',
      attempts: 0,
      response_id: responseId,
      event: 'response.submitted',
    })
    expect(body.data.id).not.toBe(original?.id)
    await server.clock.advance(0)
    expect(server.app.deliveries.list(formId, id).map((entry) => entry.id)).toEqual([
      body.data.id,
      original?.id,
    ])
    const [first, second] = receiver.deliveries
    expect(second?.id).toBe(body.data.id)
    expect(second?.rawBody).toEqual(first?.rawBody)
    expect(second?.timestamp).toBe(START_SECONDS + 60)
  })

  it('[DLV-08] replays a pending delivery, and both continue independently', async () => {
    const { server, formId, submit, receive, log } = await createWorld()
    const { receiver, id } = await receive({ script: ['500'] })
    submit()
    await server.clock.advance('10s')
    server.app.deliveries.replay(server.app.deliveries.list(formId, id)[0]!.id)
    await server.clock.advance('1m')
    expect(receiver.deliveries).toHaveLength(3)
    expect(log(id)).toEqual([
      { status: 'delivered', attempts: 1, note: null },
      { status: 'delivered', attempts: 2, note: null },
    ])
  })

  it('[DLV-08] returns 404 for an unknown delivery', async () => {
    const { control } = await createWorld()
    expect((await control('GET', '/_app/deliveries/dlv_nothing')).status).toBe(404)
    expect((await control('POST', '/_app/deliveries/dlv_nothing/replay')).status).toBe(404)
  })

  it('[DLV-09] deletes finished deliveries created more than 30 days ago', async () => {
    const { server, formId, submit, receive, control } = await createWorld()
    const { receiver, id } = await receive({ script: ['200', ...Array<string>(6).fill('500')] })
    submit('delivered')
    await server.clock.advance('1s')
    submit('failed')
    await server.clock.advance(30 * DAY - 1_000)
    expect(server.app.deliveries.list(formId, id)).toHaveLength(2)
    await server.clock.advance(1)
    expect(server.app.deliveries.list(formId, id).map((entry) => entry.status)).toEqual(['failed'])
    const [delivered] = receiver.deliveries
    expect((await control('GET', `/_app/deliveries/${delivered?.id}`)).status).toBe(404)
    await server.clock.advance('1s')
    expect(server.app.deliveries.list(formId, id)).toEqual([])
  })

  it('[DLV-09] keeps pending deliveries of any age', () => {
    const table = new DeliveriesTable()
    const facts = { endpointId: 1, formId: 'form', event: 'test.ping' as const, responseId: 0 }
    const body = Buffer.from('{}')
    table.put(newDelivery({ ...facts, sequence: 1, id: `dlv_${'a'.repeat(20)}1`, createdAt: 0, body }))
    expect(table.get(`dlv_${'a'.repeat(20)}1`, 31 * DAY)?.status).toBe('pending')
    expect(table.log(1, 31 * DAY)).toHaveLength(1)
  })

  it('[DLV-09] returns no expired delivery by its id either', async () => {
    const { server, submit, receive } = await createWorld()
    const { receiver } = await receive()
    submit()
    await server.clock.advance(30 * DAY)
    expect(server.app.deliveries.get(receiver.deliveries[0]!.id).status).toBe('delivered')
    await server.clock.advance(1)
    expect(() => server.app.deliveries.get(receiver.deliveries[0]!.id)).toThrow('Not found.')
  })
})

describe('what ends deliveries early', () => {
  const DELETED = 'The response was deleted before this delivery reached its receiver.'
  const TRASHED = 'The form was moved to the trash before this delivery reached its receiver.'

  it('[DLV-06] cancels the pending deliveries of a deleted response and removes their payload', async () => {
    const { server, formId, submit, receive, api, control } = await createWorld()
    const { receiver, id } = await receive({ script: ['500', '500'] })
    const responseId = submit('to be deleted')
    submit('stays')
    await server.clock.advance(0)
    await api('DELETE', `/api/v1/forms/${formId}/responses/${responseId}`)
    const entry = server.app.deliveries.list(formId, id).find((one) => one.response_id === responseId)
    expect(entry).toMatchObject({ status: 'failed', note: DELETED, payload: {}, next_attempt_at: null })
    expect(server.app.deliveries.get(entry!.id).raw_body).toBeNull()
    expect((await control('POST', `/_app/deliveries/${entry?.id}/replay`)).status).toBe(422)
    await server.clock.advance('15h')
    expect(receiver.deliveries).toHaveLength(3)
  })

  it('[DLV-06] keeps finished deliveries of a deleted response unchanged', async () => {
    const { server, formId, submit, receive, api } = await createWorld()
    const { id } = await receive()
    const responseId = submit()
    await server.clock.advance(0)
    await api('DELETE', `/api/v1/forms/${formId}/responses/${responseId}`)
    expect(server.app.deliveries.list(formId, id)[0]).toMatchObject({ status: 'delivered', note: null })
  })

  it('[DLV-06] lets the attempt in flight of a deleted response end as the last one', async () => {
    const { server, formId, submit, receive, api, log } = await createWorld()
    const { receiver, id } = await receive({ script: [{ status: 500, delayMs: 100 }] })
    const responseId = submit()
    await receiver.waitFor(1, PATIENT)
    await api('DELETE', `/api/v1/forms/${formId}/responses/${responseId}`)
    await server.clock.advance('15h')
    expect(log(id)).toEqual([{ status: 'failed', attempts: 1, note: DELETED }])
    expect(receiver.deliveries).toHaveLength(1)
  })

  it('[HOOK-07] notes the first of two reasons why an attempt in flight is the last', async () => {
    const { server, formId, submit, receive, log } = await createWorld()
    const { receiver, id } = await receive({ script: [{ status: 500, delayMs: 100 }] })
    const responseId = submit()
    await receiver.waitFor(1, PATIENT)
    server.app.webhooks.pause(formId, id)
    server.app.responses.delete(formId, responseId)
    await server.clock.advance('15h')
    const note = 'The endpoint is paused. Resume it and replay this delivery.'
    expect(log(id)).toEqual([{ status: 'failed', attempts: 1, note }])
  })

  it('[DLV-06] keeps sending a deleted response with deletedResponseDeliveries: kept', async () => {
    const { server, formId, submit, receive, api, log } = await createWorld({
      unspecified: { deletedResponseDeliveries: 'kept' },
    })
    const { receiver, id } = await receive({ script: ['500'] })
    const responseId = submit()
    await server.clock.advance(0)
    await api('DELETE', `/api/v1/forms/${formId}/responses/${responseId}`)
    await server.clock.advance('1m')
    expect(receiver.deliveries).toHaveLength(2)
    expect(log(id)).toEqual([{ status: 'delivered', attempts: 2, note: null }])
  })

  it('[DLV-06] cancels pending deliveries when the form is trashed, but not when it is closed', async () => {
    const { server, formId, submit, receive, api, log } = await createWorld()
    const { receiver, id } = await receive({ script: ['500', '500'] })
    submit()
    await server.clock.advance(0)
    await api('PATCH', `/api/v1/forms/${formId}`, { status: 'closed' })
    await server.clock.advance('1m')
    expect(receiver.deliveries).toHaveLength(2)
    server.app.forms.trash(formId)
    await server.clock.advance('15h')
    expect(receiver.deliveries).toHaveLength(2)
    expect(log(id)).toEqual([{ status: 'failed', attempts: 2, note: TRASHED }])
  })
})

describe('snapshot and reset', () => {
  it('[DLV-06] continues the pending deliveries of a restored snapshot', async () => {
    const { server, formId, submit, receive, control, log } = await createWorld()
    const { receiver, id } = await receive({ script: ['500', '500'] })
    submit()
    await server.clock.advance(0)
    const snapshot = (await control('GET', '/_app/snapshot')).body
    await server.clock.advance('1m')
    expect((await control('PUT', '/_app/snapshot', snapshot)).status).toBe(200)
    expect(log(id)).toEqual([{ status: 'pending', attempts: 1, note: null }])
    await server.clock.advance('1m')
    expect(receiver.deliveries.map((delivery) => delivery.timestamp - START_SECONDS)).toEqual([0, 60, 60])
    expect(new Set(receiver.deliveries.map((delivery) => delivery.rawBody.toString())).size).toBe(1)
    expect(server.app.deliveries.list(formId, id)[0]?.status).toBe('delivered')
  })

  it('[DLV-06] attempts the deliveries of a snapshot once when it is restored with attempts in flight', async () => {
    const { server, submit, receive, control, log } = await createWorld()
    const { receiver, id } = await receive()
    for (let count = 0; count < 40; count += 1) submit()
    let answer = (): void => {}
    receiver.onDelivery = () => new Promise<void>((resolve) => (answer = resolve))
    await receiver.waitFor(8, PATIENT)
    const inFlight = receiver.deliveries.map((delivery) => delivery.id)
    const snapshot = (await control('GET', '/_app/snapshot')).body
    receiver.onDelivery = undefined
    expect((await control('PUT', '/_app/snapshot', snapshot)).status).toBe(200)
    answer()
    await server.clock.advance(0)
    expect(inFlight).toHaveLength(8)
    // The eight that were lost on their way, and all forty once more.
    expect(receiver.deliveries).toHaveLength(48)
    expect(new Set(receiver.deliveries.map((delivery) => delivery.id)).size).toBe(40)
    expect(log(id)).toEqual(Array(40).fill({ status: 'delivered', attempts: 1, note: null }))
  })

  it('[DLV-06] drops pending and in-flight deliveries on a reset', async () => {
    const { server, submit, receive, control } = await createWorld()
    const { receiver } = await receive({ script: ['500', 'timeout'] })
    submit()
    await server.clock.advance(0)
    submit()
    await receiver.waitFor(2, PATIENT)
    expect((await control('POST', '/_app/reset')).status).toBe(200)
    await server.clock.advance('15h')
    expect(receiver.deliveries).toHaveLength(2)
  })
})
