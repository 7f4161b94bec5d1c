import { describe, expect, it } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { ManualClock } from '../../src/clock/index.ts'
import { deferred } from '../support/deferred.ts'
import { DeadlineClock } from './deadline-clock.ts'
import { createWorld, START, START_SECONDS } from './world.ts'

const ALWAYS_500 = { script: Array<string>(60).fill('500') }

describe('the clock and attempts', () => {
  it('[DLV-06] stays at the instant of due attempts while they hang', async () => {
    const clock = new DeadlineClock(START)
    const { server, submit, receive } = await createWorld({ clock })
    const { receiver } = await receive({ script: ['500', 'timeout'] })
    submit()
    await server.clock.advance(0)
    const advance = server.clock.advance('2h')
    await receiver.waitFor(2, PATIENT)
    expect(server.clock.now() / 1_000 - START_SECONDS).toBe(60)
    clock.passDeadlines()
    await advance
    expect(server.clock.now() / 1_000 - START_SECONDS).toBe(7_200)
    expect(receiver.deliveries.map((delivery) => delivery.timestamp - START_SECONDS)).toEqual([0, 60, 360])
  })

  it('[DLV-06] supports a receiver that advances the clock during an advance', async () => {
    const clock = new DeadlineClock(START)
    const { server, submit, receive } = await createWorld({ clock })
    const { receiver } = await receive()
    const inner: Promise<void>[] = []
    receiver.onDelivery = ({ attempt }) => {
      if (attempt > 1) return
      inner.push(server.clock.advance('1m'))
      clock.passDeadlines()
      return inner[0]
    }
    submit()
    await server.clock.advance('10m')
    await Promise.all(inner)
    // The first attempt waited for an advance that waited for it: the deadline ended it.
    expect(receiver.deliveries.map((delivery) => delivery.timestamp - START_SECONDS)).toEqual([0, 60])
    expect(server.clock.now() / 1_000 - START_SECONDS).toBe(660)
  })

  it('[DLV-06] keeps the schedule when the clock is set back', async () => {
    const clock = new ManualClock(START)
    const { server, formId, receive, log } = await createWorld({ clock })
    const { receiver, id } = await receive(ALWAYS_500)
    server.app.webhooks.test(formId, id)
    await clock.advance('6m')
    clock.set(START - 3_600_000)
    server.app.webhooks.test(formId, id)
    await clock.advance('6m')
    expect(receiver.deliveries.map((delivery) => delivery.timestamp - START_SECONDS)).toEqual([
      0, 60, 360, -3_600, -3_540, -3_240,
    ])
    await clock.advance('16h')
    expect(receiver.deliveries).toHaveLength(12)
    expect(log(id)).toEqual(Array(2).fill({ status: 'failed', attempts: 6, note: null }))
  })

  it('[DLV-06] repeats no attempt when the clock is set back', async () => {
    const clock = new ManualClock(START)
    const { server, formId, receive } = await createWorld({ clock })
    const held = await receive()
    const other = await receive()
    const { promise: gate, resolve: letGo } = deferred()
    held.receiver.onDelivery = () => gate
    for (let count = 0; count < 12; count += 1) server.app.webhooks.test(formId, held.id)
    // Eight on their way, four in line.
    await held.receiver.waitFor(8, PATIENT)
    clock.set(START - 60_000)
    server.app.webhooks.test(formId, other.id)
    await other.receiver.waitFor(1, PATIENT)
    clock.set(START)
    server.app.webhooks.test(formId, other.id)
    await other.receiver.waitFor(2, PATIENT)
    letGo()
    await clock.advance(0)
    expect(held.receiver.deliveries).toHaveLength(12)
    expect(new Set(held.receiver.deliveries.map(({ id }) => id)).size).toBe(12)
  })

  it('[DLV-06] responds to an advance over HTTP once the due work is done', async () => {
    const { submit, receive, control } = await createWorld()
    const { receiver } = await receive(ALWAYS_500)
    submit()
    expect(await control('POST', '/_app/clock/advance', { by: '1m' })).toEqual({
      status: 200,
      body: { data: { mode: 'manual', now: '2026-11-21T09:31:00.000Z' } },
    })
    expect(receiver.deliveries).toHaveLength(2)
    expect(await control('POST', '/_app/clock/advance', { by: 300_000 })).toMatchObject({ status: 200 })
    expect(receiver.deliveries).toHaveLength(3)
    expect(await control('GET', '/_app/clock')).toEqual({
      status: 200,
      body: { data: { mode: 'manual', now: '2026-11-21T09:36:00.000Z' } },
    })
  })

  it('[ERR-03] refuses to advance a real clock', async () => {
    const { control } = await createWorld({ clock: 'real' })
    expect((await control('POST', '/_app/clock/advance', { by: '1s' })).status).toBe(422)
    expect((await control('POST', '/_app/clock/advance', { by: 0 })).status).toBe(200)
  })
})
