import { nextTurn, sleep, systemNow } from '../real-timers.ts'
import type { ReferenceServer } from '../server.ts'

/** The time of a rehearsal, in its milliseconds. */
export interface RehearsalTime {
  /** Since its start. */
  elapsed(): number
  /** Waits, at most until the signal aborts. A rehearsal in process meanwhile lets the service do what is due. */
  pass(ms: number, signal: AbortSignal): Promise<void>
}

/** Real time. */
export function realTime(): RehearsalTime {
  const start = systemNow()
  return { elapsed: () => systemNow() - start, pass: (ms, signal) => sleep(ms, { signal }) }
}

/** Longest part of an advance after which the program can act, in milliseconds of the rehearsal. */
const SLICE_MS = 20
/** Turns of the event loop in which a program that was woken makes its requests. */
const TURNS = 12

/** The manual clock of the server, `speed` times as fast: a step of a millisecond is a second. */
export function manualTime({ clock }: ReferenceServer, speed: number): RehearsalTime {
  const start = clock.now()
  return {
    elapsed: () => (clock.now() - start) / speed,
    async pass(ms, signal) {
      for (let left = ms; left > 0 && !signal.aborted; left -= SLICE_MS) {
        await clock.advance(Math.round(Math.min(left, SLICE_MS) * speed))
        for (let turn = 0; turn < TURNS; turn += 1) await nextTurn()
        await clock.idle()
      }
    },
  }
}
