import type { FormResponse } from '@formwire/contract'
import { sleep } from '@formwire/internal/clock'
import { onAbort } from '@formwire/internal/on-abort'
import { checkMethods, checkNames, checkSignal } from '../check-arguments.ts'
import { CheckpointError, isLeaseLostError, UsageError } from '../errors/client-errors.ts'
import { type FormwireError, isFormwireError } from '../errors/formwire-error.ts'
import { isOutage } from '../errors/outage.ts'
import { isoText, path } from '../http/path.ts'
import { notNegative, positive } from '../options.ts'
import { PageSize } from '../pagination/page-walk.ts'
import type { Requester } from '../requester.ts'
import { type DatedResponse, type FetchResponses, findGap, type Gap, readBacklog } from './backlog.ts'
import { type CheckpointStore, type Lease, memoryCheckpoint } from './checkpoint.ts'
import { Cursor } from './cursor.ts'
import { parseInstant } from './instant.ts'
import { nextInterval, outageWaitMs } from './interval.ts'

/** A wait because the service or the checkpoint store is unavailable, or because of a 429. */
export interface Pause {
  /** Cause of the pause. */
  error: FormwireError
  /** Number of consecutive pauses, from 1. */
  attempt: number
  /** Milliseconds until the next attempt. */
  waitMs: number
}

/** Options of a poll. */
export interface PollOptions {
  /**
   * Where to begin if there is no checkpoint: an ISO 8601 date or date-time (UTC if it has no zone), or a Date. Ignored if there is
   * a checkpoint. @default the first response of the form
   */
  since?: string | Date | undefined
  /** Stores the progress. @default memoryCheckpoint() @example fileCheckpoint('./checkpoints') */
  checkpoint?: CheckpointStore | undefined
  /** Key of the state in the store. @default the id of the form */
  checkpointKey?: string | undefined
  /** Milliseconds to wait after a poll that found responses. Grows by half with each idle poll. @default 5_000 */
  intervalMs?: number | undefined
  /** Maximum wait between idle polls, in milliseconds. @default 4 × intervalMs */
  maxIntervalMs?: number | undefined
  /** Ends the poll at any time, without an error. */
  signal?: AbortSignal | undefined
  /** Ends the poll after the backlog instead of waiting for more. Outages then throw after the retries of the client. @default false */
  once?: boolean | undefined
  /**
   * Milliseconds before the newest response in which to look for late rows: responses that appear with an older `submitted_at`,
   * because of replication lag or back-filling. They are yielded when found, out of order. @default 0
   */
  lookbackMs?: number | undefined
  /** Responses per request, at most 100 (ENV-06). @default 100 */
  per_page?: number | undefined
  /** Minimum number of responses between saves. After a crash, as many may be repeated. @default 1 */
  saveEvery?: number | undefined
  /** Called if the service has no response as old as the checkpoint any more, so that responses may have been missed. */
  onGap?: ((gap: Gap) => void) | undefined
  /** Called before each pause. The poll resumes automatically. */
  onPause?: ((pause: Pause) => void) | undefined
}

/** Names of {@link PollOptions}. */
export const POLL_OPTIONS = [
  'since',
  'checkpoint',
  'checkpointKey',
  'intervalMs',
  'maxIntervalMs',
  'signal',
  'once',
  'lookbackMs',
  'per_page',
  'saveEvery',
  'onGap',
  'onPause',
] as const satisfies (keyof PollOptions)[]

type PollSettings = ReturnType<typeof readPollOptions>

/** Maximum time for an aborted poll to save its state and release its lease, in milliseconds. */
const HAND_OVER_MS = 1000

/**
 * See `formwire.responses.poll` and `pollBatches`. Validates the options at the call, so that errors are not thrown by the first iteration.
 *
 * @param isBatched whether an item is a list of responses.
 */
export function poll<Item extends FormResponse | FormResponse[]>(
  requester: Requester,
  formId: string,
  options: PollOptions,
  isBatched?: boolean,
): AsyncGenerator<Item, void, undefined> {
  const settings = readPollOptions(formId, options)
  return new Poller(requester, path`/forms/${formId}/responses`, settings, options).run(isBatched)
}

class Poller {
  readonly #requester: Requester
  readonly #endpoint: string
  readonly #settings: PollSettings
  readonly #options: PollOptions
  readonly #cursor: Cursor
  /** Kept from round to round. */
  readonly #size: PageSize
  #lease: Lease | undefined
  #unsaved = 0
  /** `since` that was already checked for a gap. */
  #gapCheckedFor: string | undefined

  constructor(requester: Requester, endpoint: string, settings: PollSettings, options: PollOptions) {
    this.#requester = requester
    this.#endpoint = endpoint
    this.#settings = settings
    this.#options = options
    this.#cursor = new Cursor(settings.lookbackMs)
    this.#size = new PageSize(settings.perPage)
  }

  /** Yields responses, or batches of them that are saved together. Requesting the next item acknowledges the current one. */
  async *run<Item extends FormResponse | FormResponse[]>(
    isBatched?: boolean,
  ): AsyncGenerator<Item, void, undefined> {
    while (!this.#options.signal?.aborted) {
      try {
        await this.#takeOver()
        for await (const rows of this.#follow()) {
          for (let start = 0; start < rows.length; ) {
            const batch = rows.slice(start, start + (isBatched ? this.#saveAfter() : 1))
            start += batch.length
            this.#cursor.assertRoom((batch[0] as DatedResponse).at)
            this.#lease?.lost.throwIfAborted()
            const responses = batch.map(({ response }) => response)
            yield (isBatched ? responses : responses[0]) as Item
            // The consumer has requested the next item, which acknowledges this one.
            for (const { response, text, at } of batch) this.#cursor.add(response.id, text, at)
            this.#unsaved += batch.length
            if (this.#options.signal?.aborted) return
            if (this.#unsaved >= this.#saveAfter()) await this.#waitOut(() => this.#save(this.#lease))
          }
        }
        return
      } catch (error) {
        if (this.#options.signal?.aborted) return
        // Another poller has the lease: wait until it ends, and resume from its checkpoint.
        if (!isLeaseLostError(error)) throw error
      } finally {
        await this.#handOver()
      }
    }
  }

  async #takeOver(): Promise<void> {
    const { store, key } = this.#settings
    const { signal } = this.#options
    // State that a lost lease did not save must not be saved under a new one.
    this.#unsaved = 0
    await this.#waitOut(async () => {
      const lease = await store.acquire?.(key, signal)
      // The lease may be granted after an aborted poll has stopped waiting.
      if (signal?.aborted) await lease?.release()
      else this.#lease = lease
    })
    const state = await this.#waitOut(() => store.load(key))
    // No state: the store is new or lost its data. Keep the position of this poll.
    if (state === undefined || state === null) this.#unsaved = this.#cursor.size
    else this.#cursor.restore(state, key)
  }

  async #handOver(): Promise<void> {
    const lease = this.#lease
    const { signal } = this.#options
    const { clock } = this.#requester.settings
    this.#lease = undefined
    const end = storeCall(() => this.#save(lease).finally(() => lease?.release())).catch((error) => {
      if (!isLeaseLostError(error) && !(signal?.aborted && isOutage(error))) throw error
    })
    await (signal?.aborted ? unless(end, (stop) => clock.setTimer(stop, HAND_OVER_MS)) : end)
  }

  /** Yields new responses until the signal aborts. In blocks, because a step of a generator takes longer than reading a row. */
  async *#follow(): AsyncGenerator<DatedResponse[], void, undefined> {
    const { settings } = this.#requester
    const { once, signal } = this.#options
    let interval = this.#settings.intervalMs
    for (;;) {
      this.#lease?.lost.throwIfAborted()
      let found = false
      for await (const rows of this.#drain()) {
        found ||= rows.length > 0
        yield rows
      }
      await this.#waitOut(() => this.#save(this.#lease))
      if (once) return
      const next = nextInterval(
        interval,
        found,
        this.#settings,
        this.#requester.budget().remaining(settings.perMinute),
        settings,
      )
      interval = next.interval
      if (!(await sleep(settings.clock, next.waitMs, signal))) return
    }
  }

  /** Yields every available response that was not yielded before, oldest first. */
  #drain(): AsyncGenerator<DatedResponse[], void, undefined> {
    const { since, lookbackMs } = this.#settings
    const checkpoint = this.#cursor.since
    return readBacklog(this.#fetch, this.#cursor, {
      since,
      size: this.#size,
      looksBack: lookbackMs > 0,
      // The first block includes the oldest page, where the responses of the checkpoint would be.
      onFirst: async ({ metYielded }) => {
        if (checkpoint !== undefined && !metYielded) await this.#checkForGap(checkpoint)
      },
    })
  }

  readonly #fetch: FetchResponses = (since, page, per_page) => {
    const query = { since, page, per_page }
    return this.#waitOut(() =>
      this.#requester.list<FormResponse>(
        { method: 'GET', path: this.#endpoint, query, schema: 'response', priority: 2 },
        { signal: this.#options.signal },
      ),
    )
  }

  /** Repeats a call until it succeeds, fails permanently, or the signal aborts. */
  async #waitOut<Value>(call: () => Value | PromiseLike<Value>): Promise<Value> {
    const { observer, settings } = this.#requester
    const { signal, once } = this.#options
    for (let attempt = 1; ; attempt += 1) {
      try {
        const value = await unless(storeCall(call), (stop) => onAbort(signal, stop))
        signal?.throwIfAborted()
        return value as Value
      } catch (error) {
        if (once || signal?.aborted || !isFormwireError(error) || !isOutage(error)) throw error
        const waitMs = outageWaitMs(error, attempt, settings.random)
        observer.tell(this.#options, 'onPause', { error, attempt, waitMs })
        observer.log('warn', 'poll paused', { path: this.#endpoint, waitMs, error: error.toJSON() })
        if (!(await sleep(settings.clock, waitMs, signal))) throw error
      }
    }
  }

  async #checkForGap(since: string): Promise<void> {
    if (!this.#options.onGap || this.#gapCheckedFor === since) return
    this.#gapCheckedFor = since
    const gap = await findGap(since, this.#fetch, this.#size)
    if (gap) this.#requester.observer.tell(this.#options, 'onGap', gap)
  }

  /** Saves less often the more ids the state contains; otherwise the cost would be quadratic. */
  #saveAfter(): number {
    return Math.max(this.#settings.saveEvery, this.#cursor.size >> 7)
  }

  async #save(lease: Lease | undefined): Promise<void> {
    const state = this.#unsaved > 0 ? this.#cursor.toState() : undefined
    if (!state) return
    const { store, key } = this.#settings
    await (lease ?? store).save(key, state)
    this.#unsaved = 0
  }
}

/** Calls a store and wraps its errors. They count as an outage, unless they indicate a bug in the store. */
async function storeCall<Value>(call: () => Value | PromiseLike<Value>): Promise<Value> {
  try {
    return await call()
  } catch (cause) {
    if (isFormwireError(cause)) throw cause
    const bug = /^(Reference|Syntax|Type)Error/.test(String(cause)) && !(cause as Error).cause
    throw new CheckpointError(
      'The checkpoint store failed; see "cause".',
      { reason: bug ? undefined : 'unavailable' },
      { cause },
    )
  }
}

/** Resolves like the promise, or to `undefined` when `stop` is called. `listen` returns a function that removes its listener. */
function unless<Value>(
  promise: Promise<Value>,
  listen: (stop: () => void) => () => void,
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject).finally(listen(() => resolve(undefined)))
  })
}

function readPollOptions(formId: string, options: PollOptions) {
  checkNames('options', options, POLL_OPTIONS)
  checkSignal(options.signal)
  const { checkpoint: store = memoryCheckpoint() } = options
  const kind = 'a store with load() and save(), such as fileCheckpoint(directory)'
  checkMethods('checkpoint', store, ['load', 'save'], kind)
  const intervalMs = positive('intervalMs', options.intervalMs ?? 5_000)
  const { lookbackMs = 0, since } = options
  const text = since instanceof Date ? isoText(since, 'since') : since
  if (text !== undefined && !parseInstant(text)) {
    throw new UsageError(`"since" must be an ISO 8601 date or date-time, got ${JSON.stringify(text)}.`)
  }
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
