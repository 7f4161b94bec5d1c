import { expect, it, onTestFinished, vi } from 'vitest'
import { RealClock } from '../../src/clock/index.ts'
import { fakeableTime } from '../clock/fakeable-time.ts'
import { createWorld } from './world.ts'

const MINUTE = 60_000

it('[DLV-06][DLV-09] a real clock keeps the schedule, and deletes deliveries older than 30 days', async () => {
  // The machine's time, moved by hand: sockets stay as they are.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.UTC(2026, 10, 21, 9, 30) })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { server, submit, receive, log } = await createWorld({ clock: new RealClock(fakeableTime) })
  const pass = async (milliseconds: number) => {
    await server.clock.idle()
    vi.advanceTimersByTime(milliseconds)
    await server.clock.idle()
  }
  const { receiver, id } = await receive({ script: Array<string>(6).fill('500') })
  submit()
  const counts: number[] = []
  for (const ms of [0, MINUTE - 1, 1, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 720 * MINUTE, 720 * MINUTE]) {
    await pass(ms)
    counts.push(receiver.deliveries.length)
  }
  expect(counts).toEqual([1, 1, 2, 3, 4, 5, 6, 6])
  expect(log(id)).toEqual([{ status: 'failed', attempts: 6, note: null }])
  await pass(30 * 86_400_000 - 1_596 * MINUTE)
  expect(log(id)).toHaveLength(1)
  await pass(1)
  expect(log(id)).toEqual([])
})
