import { afterEach, describe, expect, it, vi } from 'vitest'
import { RealClock } from '../../src/clock/index.ts'
import type { ReferenceServer } from '../../src/index.ts'
import { fakeableTime } from '../clock/fakeable-time.ts'
import { createWorld, type World } from './world.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** One suite for both clocks: `pass` lets so many milliseconds go by, up to the next thing that is due at most. */
const clocks: [
  string,
  () => Promise<{ world: World; pass: (server: ReferenceServer, ms: number) => Promise<void> }>,
][] = [
  ['manual', async () => ({ world: await createWorld(), pass: (server, ms) => server.clock.advance(ms) })],
  [
    'real',
    async () => {
      // The machine's time, moved by hand: sockets stay as they are.
      vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.UTC(2026, 10, 21, 9, 30) })
      return {
        world: await createWorld({ clock: new RealClock(fakeableTime) }),
        pass: async (server, ms) => {
          await server.clock.idle()
          vi.advanceTimersByTime(ms)
          await server.clock.idle()
        },
      }
    },
  ],
]

const MINUTE = 60_000

describe.each(clocks)('deliveries on a %s clock', (_mode, make) => {
  it('[DLV-06] makes six attempts on the schedule', async () => {
    const { world, pass } = await make()
    const { receiver, id } = await world.receive({ script: Array<string>(6).fill('500') })
    world.submit()
    const counts: number[] = []
    for (const ms of [0, MINUTE - 1, 1, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 720 * MINUTE, 720 * MINUTE]) {
      await pass(world.server, ms)
      counts.push(receiver.deliveries.length)
    }
    expect(counts).toEqual([1, 1, 2, 3, 4, 5, 6, 6])
    expect(world.log(id)).toEqual([{ status: 'failed', attempts: 6, note: null }])
    expect(receiver.deliveries.every(({ verified }) => verified)).toBe(true)
  })

  it('[DLV-09] deletes deliveries older than 30 days', async () => {
    const { world, pass } = await make()
    const { id } = await world.receive()
    world.submit()
    await pass(world.server, 0)
    await pass(world.server, 30 * 86_400_000)
    expect(world.log(id)).toHaveLength(1)
    await pass(world.server, 1)
    expect(world.log(id)).toEqual([])
  })
})
