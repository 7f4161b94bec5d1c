import { describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { createWorld } from './world.ts'

const DAY = 86_400_000

describe('the delivery log', () => {
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

  it('[DLV-08] returns 404 for an unknown delivery', async () => {
    const { control } = await createWorld()
    expect((await control('GET', '/_app/deliveries/dlv_nothing')).status).toBe(404)
    expect((await control('POST', '/_app/deliveries/dlv_nothing/replay')).status).toBe(404)
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
