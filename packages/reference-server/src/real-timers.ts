/**
 * Node's timers, copied when this module loads. Fake timers in a test replace the globals but not these, so that
 * sockets, deadlines and the real clock keep running in real time.
 */
import * as timers from 'node:timers'
import { sleep as sleepOn } from '@formwire/internal/clock'

// An imported name would follow the functions that node:test's mock timers put into the module.
export const { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = timers

export const { queueMicrotask } = globalThis

/** Milliseconds since the epoch. */
export const systemNow: () => number = Date.now

const { hrtime } = process

/** Milliseconds since an arbitrary moment, never decreasing: for durations and deadlines. */
export const elapsedMs = (): number => Number(hrtime.bigint()) / 1e6

/** Where timers get their time from. */
export interface TimeSource {
  /** Milliseconds since the epoch, or since an arbitrary moment if only spans matter. */
  now(): number
  /** Calls `wake` once after `milliseconds`, without keeping the process alive. Returns a function that cancels it. */
  wakeAfter(milliseconds: number, wake: () => void): () => void
}

/** Calls `wake` once after `milliseconds`, without keeping the process alive. Returns a function that cancels it. */
export function wakeAfter(milliseconds: number, wake: () => void): () => void {
  const timer = setTimeout(wake, milliseconds).unref()
  return () => clearTimeout(timer)
}

/** For spans, unaffected by changes of the machine's time. */
export const elapsedTime: TimeSource = { now: elapsedMs, wakeAfter }

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Resolves after `milliseconds`, or as soon as the signal aborts. `ref: false` does not keep the process alive. */
export async function sleep(
  milliseconds: number,
  { signal, ref = true }: { readonly signal?: AbortSignal; readonly ref?: boolean } = {},
): Promise<void> {
  const setTimer = (wake: () => void, ms: number): (() => void) => {
    const timer = setTimeout(wake, ms)
    if (!ref) timer.unref()
    return () => clearTimeout(timer)
  }
  await sleepOn({ now: systemNow, setTimer }, milliseconds, signal)
}
