/** Checkpoints as files, one a key. For one poller a key: use `/checkpoint/redis` when several may run. */
import { mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { CheckpointError } from '../errors/checkpoint-error.ts'
import type { CheckpointStore, PollState } from '../polling/checkpoint.ts'

/** Options of {@link fileCheckpoint}. */
export interface FileCheckpointOptions {
  /**
   * Waits until the disk has the state, so that it also survives a loss of power. Without it a kill at any instant is still
   * safe, and saving is many times faster. @default true
   */
  sync?: boolean | undefined
}

let saves = 0

/**
 * Keeps each state in `<directory>/<key>.json`. A save writes a new file and renames it over the old one: whenever the process
 * is killed, the file holds the old state or the new one, whole.
 */
export function fileCheckpoint(
  directory: string,
  { sync = true }: FileCheckpointOptions = {},
): CheckpointStore {
  const nameOf = (key: string): string => `${encodeURIComponent(key).replaceAll('*', '%2A')}.json`
  return {
    async load(key) {
      const name = nameOf(key)
      await removeLeftovers(directory, name)
      let text: string
      try {
        text = await readFile(join(directory, name), 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw new CheckpointError(
          `The checkpoint ${join(directory, name)} cannot be read.`,
          {},
          { cause: error },
        )
      }
      try {
        return JSON.parse(text) as PollState
      } catch {
        throw new CheckpointError(
          `The checkpoint ${join(directory, name)} is not JSON: something else wrote it. Remove it to start again from "since".`,
        )
      }
    },
    async save(key, state) {
      const target = join(directory, nameOf(key))
      saves += 1
      const temporary = `${target}.${process.pid}.${saves}.tmp`
      try {
        await mkdir(directory, { recursive: true })
        await writeWhole(temporary, JSON.stringify(state), sync)
        await rename(temporary, target)
        if (sync) await syncDirectory(directory)
      } catch (error) {
        await unlink(temporary).catch(() => undefined)
        throw new CheckpointError(`The checkpoint ${target} cannot be written.`, {}, { cause: error })
      }
    },
  }
}

async function writeWhole(path: string, text: string, sync: boolean): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    if (sync) await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the rename itself durable. Not every system lets a directory be opened; the file's own data are safe anyway. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

/** Removes what a killed process left half written. A living one may still be about to rename its own. */
async function removeLeftovers(directory: string, name: string): Promise<void> {
  const files = await readdir(directory).catch(() => [])
  for (const file of files) {
    if (!file.startsWith(`${name}.`) || !file.endsWith('.tmp')) continue
    const pid = Number(file.slice(name.length + 1).split('.')[0])
    if (pid !== process.pid && !isAlive(pid)) await unlink(join(directory, file)).catch(() => undefined)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
