import { describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { createWorld } from './world.ts'

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
})

describe('what ends deliveries early', () => {
  const TRASHED = 'The form was moved to the trash before this delivery reached its receiver.'

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
