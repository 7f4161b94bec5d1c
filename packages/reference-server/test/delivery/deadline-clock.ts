import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { ManualClock } from '../../src/clock/index.ts'
import type { TimeSource } from '../../src/real-timers.ts'

const HOUR_MS = 3_600_000

/** What undici publishes for each chunk of a response body that it has read. */
const CHUNK_READ = 'undici:request:bodyChunkReceived'

/** A manual clock on which the deadline of an attempt passes only when a test says so, instead of in real time. */
export class DeadlineClock extends ManualClock {
  readonly #time = new ManualClock(0)
  readonly deadlines: TimeSource = {
    now: () => this.#time.now(),
    wakeAfter: (milliseconds, wake) => this.#time.wakeAt(this.#time.now() + milliseconds, wake),
  }

  /** Lets the deadline of every attempt in flight pass. */
  passDeadlines(): void {
    this.#time.set(this.#time.now() + HOUR_MS)
  }
}

/** Resolves once the first chunk of a response body of this receiver has been read. Call it before the attempt. */
export function bodyRead({ url }: { readonly url: string }): Promise<void> {
  const { origin } = new URL(url)
  return new Promise((resolve) => {
    const listener = (message: unknown): void => {
      if (String((message as { request: { origin: unknown } }).request.origin) !== origin) return
      unsubscribe(CHUNK_READ, listener)
      resolve()
    }
    subscribe(CHUNK_READ, listener)
  })
}
