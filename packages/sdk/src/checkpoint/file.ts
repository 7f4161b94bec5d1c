/** Checkpoints as files, one per key, for one poller per key. For several pollers use `/checkpoint/redis` or `/checkpoint/postgres`. */
import { open, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, writeFile } from '@formwire/internal/files'
import { checkNames } from '../check-arguments.ts'
import { CheckpointError, UsageError } from '../errors/client-errors.ts'
import { isFormwireError } from '../errors/formwire-error.ts'
import { type CheckpointStore, type PollState, parseState } from '../polling/checkpoint.ts'
import { FileLock, isAlive } from './file-lock.ts'

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
  const { sync = true, leaseMs = 15_000 } = options
  if (!(leaseMs >= 30)) throw new CheckpointError(`"leaseMs" must be at least 30, got ${leaseMs}.`)
  const nameOf = (key: string): string => `${encodeURIComponent(key).replaceAll('*', '%2A')}.json`
  const fileOf = (key: string): string => join(directory, nameOf(key))

  const save = async (key: string, state: PollState): Promise<void> => {
    const target = fileOf(key)
    try {
      await makeFolder(directory)
      await writeFile(target, JSON.stringify(state), { fsync: sync })
      if (sync) await syncDirectory(directory)
    } catch (error) {
      throw new CheckpointError(`The checkpoint ${target} cannot be written.`, {}, { cause: error })
    }
  }

  return {
    save,
    async load(key) {
      await removeLeftovers(directory, nameOf(key))
      let text: string
      try {
        text = await readFile(fileOf(key), 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw new CheckpointError(`The checkpoint ${fileOf(key)} cannot be read.`, {}, { cause: error })
      }
      return parseState(text, fileOf(key))
    },
    async acquire(key, signal) {
      let lock: FileLock
      try {
        await makeFolder(directory)
        lock = await FileLock.acquire(fileOf(key), leaseMs, signal)
      } catch (error) {
        if (isFormwireError(error)) throw error
        throw new CheckpointError(`The checkpoint ${fileOf(key)} cannot be locked.`, {}, { cause: error })
      }
      let saving: Promise<void> = Promise.resolve()
      return {
        lost: lock.lost,
        save(key, state) {
          saving = lock.assertHeld().then(() => save(key, state))
          return saving
        },
        async release() {
          // An aborted poll does not wait for its save, which must not overwrite the state of the next holder.
          await saving.catch(() => undefined)
          await lock.release()
        },
      }
    },
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
