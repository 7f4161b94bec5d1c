import { access, constants } from 'node:fs/promises'
import { makeFolder } from '@formwire/internal/files'
import type { CheckpointError, CheckpointStore, Formwire, PollState } from '@formwire/sdk'
import { fileFailure, fileProblem, usage } from '../failure.ts'
import { asClause } from '../service-message.ts'

const PER_PAGE = 100

type Lease = Awaited<ReturnType<NonNullable<CheckpointStore['acquire']>>>

/** Milliseconds between polls of one form: a quarter of the rate limit. */
const INTERVAL_MS = 2_000
/** Milliseconds between polls of a form without new responses, at most. */
const MAX_INTERVAL_MS = 5_000

/** The options of a command that follows forms. */
export interface FollowFormsOptions {
  since?: string | undefined
  interval?: number | undefined
  checkpoint?: string | undefined
}

/** How a form is polled. */
export interface FormPoll {
  checkpoint: CheckpointStore
  intervalMs: number
  maxIntervalMs: number
}

/**
 * Returns how each form is polled: from `since`, a time of the API, or its saved position, at its share of the rate limit. Also checks that the forms
 * and the server exist before the first poll, and that positions can be kept. @param watch.onForm called before a form is read @param watch.onLoad called with the position at which a poll begins
 */
export async function formPolls(
  client: Formwire,
  forms: readonly string[],
  options: FollowFormsOptions,
  watch: { onForm?(formId: string): Promise<unknown>; onLoad?(formId: string, state: PollState): void } = {},
): Promise<ReadonlyMap<string, FormPoll>> {
  const { checkpoint: directory } = options
  const store = await checkpointStore(directory, forms)
  const share = Math.max(1, forms.length / 2)
  const polls = new Map<string, FormPoll>()
  for (const formId of forms) {
    await watch.onForm?.(formId)
    const start = await startOf(client, formId, options.since)
    polls.set(formId, {
      checkpoint: startingAt(store, start, (state) => watch.onLoad?.(formId, state)),
      intervalMs: options.interval ?? INTERVAL_MS * share,
      maxIntervalMs: options.interval ?? MAX_INTERVAL_MS * share,
    })
  }
  try {
    if (directory === undefined) return polls
    await makeFolder(directory)
    await access(directory, constants.W_OK)
  } catch (error) {
    throw fileFailure(`write to ${directory}`, error)
  }
  return polls
}

/**
 * Returns the state from which the responses of a form are followed. Without `since`, as if all existing ones had been read: the tail
 * starts after the newest one, independent of the clocks of this machine and the server. @throws NotFoundError for an unknown form
 */
async function startOf(client: Formwire, formId: string, since: string | undefined): Promise<PollState> {
  if (since !== undefined) {
    await client.forms.get(formId)
    return startAt(since)
  }
  const ids: number[] = []
  let newest: string | undefined
  for await (const response of client.responses.list(formId, { per_page: PER_PAGE })) {
    if (response.submitted_at === null) continue
    newest ??= response.submitted_at
    if (response.submitted_at !== newest) break
    ids.push(response.id)
  }
  return newest === undefined ? startAt('1970-01-01T00:00:00Z') : { version: 1, since: newest, ids }
}

const startAt = (since: string): PollState => ({ version: 1, since, ids: [] })

/**
 * Returns the store with an initial state. It is saved before the first response is handled: the next run begins with what this one
 * was stopped at, and with what has arrived in between.
 */
function startingAt(
  store: CheckpointStore,
  start: PollState,
  onLoad: (state: PollState) => void,
): CheckpointStore {
  let lease: Lease | undefined
  return {
    async load(key) {
      const saved = await store.load(key)
      const state = saved ?? start
      if (!saved) await (lease ?? store).save(key, state)
      onLoad(state)
      return state
    },
    save: (key, state) => store.save(key, state),
    ...(store.acquire && {
      async acquire(key, signal) {
        lease = (await store.acquire?.(key, signal)) as Lease
        return lease
      },
    }),
  }
}

/**
 * Returns the store of `--checkpoint`, a directory; without one, no state is kept.
 * @throws Failure exit 2 if it is no directory, or the position of one of the forms is damaged or cannot be read
 */
async function checkpointStore(
  directory: string | undefined,
  forms: readonly string[],
): Promise<CheckpointStore> {
  // The poll keeps its state in memory and loads one only at the start.
  if (directory === undefined) return { load: () => undefined, save: () => undefined }
  const { fileCheckpoint } = await import('@formwire/sdk/checkpoint/file')
  try {
    const store = fileCheckpoint(directory)
    for (const formId of forms) await store.load(formId)
    return store
  } catch (error) {
    const { message, cause } = error as CheckpointError
    const problem = fileProblem(cause)
    const isFile = (Object(cause) as NodeJS.ErrnoException).code === 'ENOTDIR'
    throw usage(
      asClause(message) + (problem === undefined ? '' : `: ${problem}`),
      isFile ? '--checkpoint must be a directory' : undefined,
    )
  }
}
