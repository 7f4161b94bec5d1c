import { statSync } from 'node:fs'
import type { CheckpointStore, Formwire, PollState } from '@formwire/sdk'
import { usage } from '../failure.ts'

const PER_PAGE = 100

/**
 * Returns the state of a poll that has read every existing response: the tail starts after the newest one, independent of
 * the clocks of this machine and the server. Undefined when there are no responses.
 */
export async function stateOfNow(client: Formwire, formId: string): Promise<PollState | undefined> {
  const ids: number[] = []
  let newest: string | undefined
  for await (const response of client.responses.list(formId, { per_page: PER_PAGE })) {
    if (response.submitted_at === null) continue
    newest ??= response.submitted_at
    if (response.submitted_at !== newest) break
    ids.push(response.id)
  }
  return newest === undefined ? undefined : { version: 1, since: newest, ids }
}

/** Returns the store with an initial state, used until the first save. */
export function startingAt(store: CheckpointStore, seed: PollState | undefined): CheckpointStore {
  return {
    load: async (key) => (await store.load(key)) ?? seed,
    save: (key, state) => store.save(key, state),
    ...(store.acquire ? { acquire: (key, signal) => store.acquire?.(key, signal) as never } : {}),
  }
}

/**
 * Returns the store of `--checkpoint`: files in this directory, one per form; without a path, no state is kept.
 * @throws Failure exit 2 if the path is not a directory
 */
export async function checkpointStore(path: string | undefined): Promise<CheckpointStore> {
  // The poll keeps its state in memory and loads one only at the start.
  if (path === undefined) return { load: () => undefined, save: () => undefined }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
    throw usage(`--checkpoint must be a directory, got "${path}"`, 'it is created if it does not exist')
  const { fileCheckpoint } = await import('@formwire/sdk/checkpoint/file')
  return fileCheckpoint(path)
}
