import type { FormResponse } from '@formwire/contract'
import { sleep } from '../clock.ts'
import { type FormwireError, isFormwireError } from '../errors/formwire-error.ts'
import { isLeaseLostError } from '../errors/lease-lost-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { isoText, path } from '../http/path.ts'
import { notNegative, positive } from '../options.ts'
import type { Requester } from '../requester.ts'
import { BLOCK_PAGES, type Dated, type FetchResponses, readBlock } from './backlog.ts'
import { type CheckpointStore, type Lease, memoryCheckpoint } from './checkpoint.ts'
import { Cursor } from './cursor.ts'
import { findGap, type Gap } from './gap.ts'
import { parseInstant } from './instant.ts'
import { nextInterval, outageWaitMs } from './interval.ts'
import { isPassing } from './outage.ts'

/** The poll waits because the service cannot be reached or asks for it. */
export interface Pause {
  /** What happened. */
  error: FormwireError
  /** Pauses in a row, from 1. */
  attempt: number
  /** Milliseconds until the next try. */
  waitMs: number
}

/** Options of a poll. */
export interface PollOptions {
  /**
   * Where to start when there is no checkpoint: an ISO 8601 date or date-time (without a zone UTC), or a Date. The checkpoint
   * wins. @default the beginning: every response the form has
   */
  since?: string | Date | undefined
  /** Where progress is kept. @default memory */
  checkpoint?: CheckpointStore | undefined
  /** Name of the state in the store. @default the form's id */
  checkpointKey?: string | undefined
  /** Milliseconds to wait after a poll that found something; idle polls wait longer and longer. @default 5_000 */
  intervalMs?: number | undefined
  /** Longest wait between idle polls in milliseconds. @default four times intervalMs */
  maxIntervalMs?: number | undefined
  /** Ends the poll, at any moment and without an error. */
  signal?: AbortSignal | undefined
  /** Ends after the backlog is read, instead of waiting for more. @default false */
  once?: boolean | undefined
  /**
   * Milliseconds before the newest response in which late ones are looked for: rows that appear with an older `submitted_at`,
   * as replication lag or back-filling makes them. They come when they are found, out of order. @default 0
   */
  lookbackMs?: number | undefined
  /** Responses a request. @default 100, the most (ENV-06) */
  per_page?: number | undefined
  /** Saves after this many responses at least; more than 1 spares writes and repeats up to as many after a crash. @default 1 */
  saveEvery?: number | undefined
  /** The service has nothing left that is as old as the checkpoint: responses may have come and gone unseen. */
  onGap?: ((gap: Gap) => void) | undefined
  /** The poll waits for the service; without `once` it goes on by itself. */
  onPause?: ((pause: Pause) => void) | undefined
}

interface Settled {
  since: string | undefined
  store: CheckpointStore
  key: string
  intervalMs: number
  maxIntervalMs: number
  lookbackMs: number
  perPage: number
  saveEvery: number
}

/** See `formwire.responses.poll`. */
export function poll(
  requester: Requester,
  formId: string,
  options: PollOptions,
): AsyncGenerator<FormResponse, void, undefined> {
  // Mistakes surface at the call, not at the first turn of the loop.
  const settled = settle(formId, options)
  const endpoint = path`/forms/${formId}/responses`
  return new Poller(requester, endpoint, settled, options).run()
}

class Poller {
  readonly #requester: Requester
  readonly #endpoint: string
  readonly #settled: Settled
  readonly #options: PollOptions
  #cursor = new Cursor(0)
  #lease: Lease | undefined
  #unsaved = 0
  /** `since` for which the service was already asked whether it still has anything as old. */
  #gapLookedFor: string | undefined

  constructor(requester: Requester, endpoint: string, settled: Settled, options: PollOptions) {
    this.#requester = requester
    this.#endpoint = endpoint
    this.#settled = settled
    this.#options = options
  }

  async *run(): AsyncGenerator<FormResponse, void, undefined> {
    while (!this.#options.signal?.aborted) {
      try {
        await this.#takeOver()
        yield* this.#follow()
        return
      } catch (error) {
        if (this.#options.signal?.aborted) return
        // Another poller has the lease now: wait for it, and go on from where that one stops.
        if (!isLeaseLostError(error)) throw error
      } finally {
        await this.#handOver()
      }
    }
  }

  async #takeOver(): Promise<void> {
    const { store, key, lookbackMs } = this.#settled
    // What a lost lease could not save must not be saved past it.
    this.#unsaved = 0
    this.#lease = await store.acquire?.(key, this.#options.signal)
    this.#cursor = new Cursor(lookbackMs)
    const state = await store.load(key)
    if (state) this.#cursor.restore(state)
  }

  async #handOver(): Promise<void> {
    const lease = this.#lease
    this.#lease = undefined
    try {
      await this.#save(lease)
    } catch (error) {
      if (!isLeaseLostError(error)) throw error
    } finally {
      await lease?.release()
    }
  }

  async *#follow(): AsyncGenerator<FormResponse, void, undefined> {
    const { settings } = this.#requester
    const { once, signal } = this.#options
    let interval = this.#settled.intervalMs
    for (;;) {
      this.#lease?.lost.throwIfAborted()
      let found = false
      for await (const row of this.#drain()) {
        found = true
        this.#lease?.lost.throwIfAborted()
        yield row.response
        // Only here has the consumer asked for the next one.
        this.#cursor.add(row.response.id, row.text, row.at)
        this.#unsaved += 1
        if (this.#unsaved >= this.#saveAfter()) await this.#save(this.#lease)
        if (signal?.aborted) return
      }
      await this.#save(this.#lease)
      if (once || signal?.aborted) return
      const next = nextInterval(
        interval,
        found,
        this.#settled,
        this.#requester.budget().remaining(settings.perMinute),
        settings,
      )
      interval = next.interval
      if (!(await sleep(settings.clock, next.waitMs, signal))) return
    }
  }

  /** Everything that is there now and was not given before, oldest first. */
  async *#drain(): AsyncGenerator<Dated, void, undefined> {
    const cursor = this.#cursor
    const initial = this.#settled.since
    // A short list is read with its window for late rows in one go; a long backlog first gets rid of itself.
    let since = cursor.sinceWithLookback ?? initial
    let startPage = 1
    let span = BLOCK_PAGES
    for (let number = 1; ; number += 1) {
      const block = await readBlock(this.#fetch, cursor, { since, startPage, span })
      // The first block reaches to the far end, where what was given last time would be.
      if (number === 1 && cursor.since !== undefined && !block.metGiven) await this.#lookForGap(cursor.since)
      yield* this.#room(block.rows)
      if (block.newest && (number === 1 || this.#settled.lookbackMs === 0)) return
      if (block.newest) break
      // Under the newer `since` the list ends about where this block began. A block of nothing but ties leaves `since` where
      // it was: the next one has to reach further, or it would read the same rows again.
      const next = cursor.since ?? initial
      const moved = next !== since
      since = next
      span = moved ? BLOCK_PAGES : span * 2
      startPage = Math.max(1, (moved ? block.startPage : block.pages) - span + 1)
    }
    const late = await readBlock(this.#fetch, cursor, {
      since: cursor.sinceWithLookback,
      startPage: 1,
      span,
      whole: true,
    })
    yield* this.#room(late.rows)
  }

  *#room(rows: Dated[]): Generator<Dated, void, undefined> {
    for (const row of rows) {
      this.#cursor.assertRoom(row.at)
      yield row
    }
  }

  /** One request; waits out what can pass. */
  readonly #fetch: FetchResponses = async (since, page) => {
    const { observer, settings } = this.#requester
    const { signal, once } = this.#options
    for (let attempt = 1; ; attempt += 1) {
      try {
        const query = { since, page, per_page: this.#settled.perPage }
        return await this.#requester.list<FormResponse>(
          { method: 'GET', path: this.#endpoint, query, schema: 'response', priority: 2 },
          { signal },
        )
      } catch (error) {
        if (once || signal?.aborted || !isFormwireError(error) || !isPassing(error)) throw error
        const waitMs = outageWaitMs(error, attempt, settings.random)
        observer.tell(this.#options, 'onPause', { error, attempt, waitMs })
        observer.log('warn', 'formwire: poll pauses', { path: this.#endpoint, waitMs, error: error.toJSON() })
        if (!(await sleep(settings.clock, waitMs, signal))) throw error
      }
    }
  }

  async #lookForGap(since: string): Promise<void> {
    if (!this.#options.onGap || this.#gapLookedFor === since) return
    this.#gapLookedFor = since
    const gap = await findGap(since, this.#fetch)
    if (gap) this.#requester.observer.tell(this.#options, 'onGap', gap)
  }

  /** Writing many ids after every response would cost their square: the more ids, the fewer writes. */
  #saveAfter(): number {
    return Math.max(this.#settled.saveEvery, this.#cursor.size >> 7)
  }

  async #save(lease: Lease | undefined): Promise<void> {
    const state = this.#unsaved > 0 ? this.#cursor.toState() : undefined
    if (!state) return
    const { store, key } = this.#settled
    await (lease ?? store).save(key, state)
    this.#unsaved = 0
  }
}

function settle(formId: string, options: PollOptions): Settled {
  const intervalMs = positive('intervalMs', options.intervalMs ?? 5_000)
  const { lookbackMs = 0, since } = options
  const text = since instanceof Date ? isoText(since, 'since') : since
  if (text !== undefined && !parseInstant(text)) {
    throw new UsageError(`"since" has to be an ISO 8601 date or date-time, got ${JSON.stringify(text)}.`)
  }
  const store = options.checkpoint ?? memoryCheckpoint()
  return {
    since: text,
    store,
    key: options.checkpointKey ?? formId,
    intervalMs,
    maxIntervalMs: Math.max(intervalMs, positive('maxIntervalMs', options.maxIntervalMs ?? intervalMs * 4)),
    lookbackMs: notNegative('lookbackMs', lookbackMs),
    perPage: options.per_page ?? 100,
    saveEvery: positive('saveEvery', options.saveEvery ?? 1),
  }
}
