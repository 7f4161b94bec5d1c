import { statSync } from 'node:fs'
import type { CheckpointStore, Formwire, PollState } from '@formwire/sdk'
import type { Runtime } from '../runtime.ts'

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
 * Returns the store of `--checkpoint`: one file for all forms, or a directory with a file per form if the path is one; without a
 * path, no state is kept. @throws Failure exit 2 for a file that is not a checkpoint
 */
export async function checkpointStore(
  path: string | undefined,
  { randomId }: Pick<Runtime, 'randomId'>,
): Promise<CheckpointStore> {
  // The poll keeps its state in memory and loads one only at the start.
  if (path === undefined) return { load: () => undefined, save: () => undefined }
  if (isCheckpointDirectory(path)) {
    const { fileCheckpoint } = await import('@formwire/sdk/checkpoint/file')
    return fileCheckpoint(path)
  }
  const { positionFile } = await import('./position-file.ts')
  return await positionFile(path, randomId)
}

/** Whether the path is a directory, or ends like the path of one. */
export function isCheckpointDirectory(path: string): boolean {
  try {
    return /[/\\]$/.test(path) || statSync(path).isDirectory()
  } catch {
    return false
  }
}
