/** Checkpoints as files, one per key, for one poller per key. For several pollers use `/checkpoint/redis` or `/checkpoint/postgres`. */
import { open, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, writeFile } from '@formwire/internal/files'
import { checkNames } from '../check-arguments.ts'
import { CheckpointError, UsageError } from '../errors/client-errors.ts'
import { isFormwireError } from '../errors/formwire-error.ts'
import type { CheckpointStore } from '../polling/checkpoint.ts'
import { acquireLock, holdsLock, isAlive, releaseLock, renewLock } from './file-lock.ts'
import { type LeaseStore, leasedCheckpoint } from './leased-checkpoint.ts'

/** Options of {@link fileCheckpoint}. */
export interface FileCheckpointOptions {
  /**
   * Flushes each save to disk, so that the state survives a power failure. With `false`, it survives only a crash of the process, but
   * saves are many times faster. @default true
   */
  sync?: boolean | undefined
  /**
   * Milliseconds until a lock expires without renewal, at least 30. It is renewed three times as often. The lock of a killed process
   * is taken over immediately on the same machine, otherwise after this time. @default 15_000
   */
  leaseMs?: number | undefined
}

/**
 * Returns a store that keeps each state in `<directory>/<key>.json`. Saves are atomic: a new file replaces the old one by renaming.
 *
 * A poll locks its key. A second poll of the same key, in any process, rejects with a CheckpointError whose `reason` is `locked`.
 *
 * @example formwire.responses.poll(formId, { checkpoint: fileCheckpoint('./checkpoints') })
 * @throws UsageError if an option name is unknown or `directory` is not a path. @throws CheckpointError if `leaseMs` is too short.
 */
export function fileCheckpoint(directory: string, options: FileCheckpointOptions = {}): CheckpointStore {
  checkNames('fileCheckpoint()', options, ['sync', 'leaseMs'])
  if (typeof directory !== 'string' || !directory) {
    throw new UsageError(`fileCheckpoint(): "directory" must be a path, got ${typeof directory}.`)
  }
  const { sync = true, leaseMs } = options
  const nameOf = (key: string): string => `${encodeURIComponent(key).replaceAll('*', '%2A')}.json`
  const fileOf = (key: string): string => join(directory, nameOf(key))
  /** @throws CheckpointError that names the file */
  const named = async <Result>(key: string, what: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      if (isFormwireError(error)) throw error
      throw new CheckpointError(`The checkpoint ${fileOf(key)} cannot be ${what}.`, {}, { cause: error })
    }
  }
  const save = (key: string, state: string): Promise<void> =>
    named(key, 'written', async () => {
      await makeFolder(directory)
      await writeFile(fileOf(key), state, { fsync: sync })
      if (sync) await syncDirectory(directory)
    })
  const store: LeaseStore = {
    async load(key) {
      await removeLeftovers(directory, nameOf(key))
      return await named(key, 'read', () => readIfThere(fileOf(key)))
    },
    save,
    acquire: (key, token, ...limits) =>
      named(key, 'locked', async () => {
        await makeFolder(directory)
        return await acquireLock(fileOf(key), token, ...limits)
      }),
    renew: (key, token) => renewLock(fileOf(key), token),
    release: (key, token) => releaseLock(fileOf(key), token),
    async saveFenced(key, token, state) {
      const holds = await holdsLock(fileOf(key), token)
      if (holds) await save(key, state)
      return holds
    },
    place: fileOf,
  }
  return leasedCheckpoint(store, { leaseMs })
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Makes the rename durable. Some systems cannot open directories; the file content is durable anyway. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

/** Removes temporary files of killed processes. A running process may still rename its own. */
async function removeLeftovers(directory: string, name: string): Promise<void> {
  const files = await readdir(directory).catch(() => [])
  for (const file of files) {
    if (!file.startsWith(`${name}.`) || !file.endsWith('.tmp')) continue
    const pid = Number(file.slice(name.length + 1).split('.')[0])
    if (pid !== process.pid && !isAlive(pid)) await unlink(join(directory, file)).catch(() => undefined)
  }
}
