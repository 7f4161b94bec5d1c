import { backoffMs } from '@formwire/internal/backoff'
import { sleep } from '@formwire/internal/clock'
import { isUsageError } from '@formwire/sdk'
import { StoreError } from '../errors.ts'
import { Failures } from '../failures.ts'
import type { SyncedResponse } from '../options.ts'
import type { InboxSettings } from './options.ts'
import type { InboxQueue, TakenResponse } from './queue.ts'

/** Options of `work()`. */
export interface WorkOptions {
  /** Responses that are handled at the same time. @default 1 */
  concurrency?: number | undefined
  /** Milliseconds between looks at an empty queue. @default 1000 */
  pollMs?: number | undefined
  /** Called when `handle` fails. After the last attempt, the response is dead until it is retried or dropped. */
  onFailed?: ((failure: FailedAttempt) => void) | undefined
}

/** An attempt that failed. */
export interface FailedAttempt {
  response: SyncedResponse
  error: unknown
  /** Number of the attempt, from 1. */
  attempt: number
  isLast: boolean
}

/** What a worker did. */
export interface WorkSummary {
  /** Responses that were handled. */
  handled: number
  /** Attempts that failed. */
  failed: number
}

/** Milliseconds for which a worker tries to record that work was done. A worker that is stopped tries for a shorter time. */
const RECORD_MS = 300_000
const STOPPED_RECORD_MS = 10_000
const FIRST_WAIT_MS = 200
const MAX_WAIT_MS = 5000

/** Handles responses of a queue until the signal of the inbox aborts, and then ends what it has begun. */
export async function work(
  queue: InboxQueue,
  settings: InboxSettings,
  { concurrency = 1, pollMs = 1000, onFailed }: WorkOptions,
): Promise<WorkSummary> {
  const { signal, clock, random, handle, onPause } = settings
  const summary: WorkSummary = { handled: 0, failed: 0 }
  const failures = new Failures<undefined>(clock, random)
  const running = new Set<Promise<void>>()
  /** What a callback of the program threw. */
  let thrown: { error: unknown } | undefined
  try {
    while (!signal?.aborted && !thrown) {
      if (running.size >= concurrency) {
        await Promise.race(running)
        continue
      }
      const free = concurrency - running.size
      let taken: TakenResponse[]
      try {
        taken = await queue.take(free)
        failures.delete(undefined)
      } catch (error) {
        if (isPermanent(error)) throw error
        const pause = failures.add(undefined, error)
        onPause?.({ formId: undefined, error, ...pause })
        await sleep(clock, pause.waitMs, signal)
        continue
      }
      for (const one of taken) {
        const handling = attempt(one)
          .catch((error: unknown) => {
            thrown ??= { error }
          })
          .finally(() => running.delete(handling))
        running.add(handling)
      }
      if (taken.length < free) await sleep(clock, pollMs, signal)
    }
  } finally {
    await Promise.all(running)
  }
  if (thrown) throw thrown.error
  return summary

  /** Rejects only with what a callback throws. */
  async function attempt(one: TakenResponse): Promise<void> {
    const stopRenewing = renew(one)
    try {
      try {
        await handle(one.response, { source: one.source })
      } catch (error) {
        summary.failed += 1
        const recorded = record(() => one.fail(error))
        onFailed?.({ response: one.response, error, attempt: one.attempt, isLast: one.isLast })
        return await recorded
      }
      summary.handled += 1
      await record(() => one.complete())
    } finally {
      stopRenewing()
    }
  }

  /** Renews a response until the returned function is called. */
  function renew(one: TakenResponse): () => void {
    const over = new AbortController()
    void (async () => {
      while (await sleep(clock, queue.leaseMs / 3, over.signal)) await one.renew().catch(() => undefined)
    })()
    return () => over.abort()
  }

  /** Repeats a call through an outage: forgetting that work was done would repeat it. */
  async function record(call: () => Promise<void>): Promise<void> {
    const began = clock.now()
    for (let count = 1; ; count += 1) {
      try {
        return await call()
      } catch (error) {
        const waitMs = backoffMs(count, FIRST_WAIT_MS, MAX_WAIT_MS)
        onPause?.({ formId: undefined, error, attempt: count, waitMs })
        if (isPermanent(error)) return
        if (clock.now() - began > (signal?.aborted ? STOPPED_RECORD_MS : RECORD_MS)) return
        await sleep(clock, waitMs)
      }
    }
  }
}

/** Whether a retry fails as well. */
export function isPermanent(error: unknown): boolean {
  if (isUsageError(error)) return true
  return error instanceof StoreError && !error.isPassing
}
