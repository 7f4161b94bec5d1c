import { readFile, realpath } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { makeFolder, writeFile } from '@formwire/internal/files'
import { parseObject, textProblem } from '@formwire/internal/json'
import { CheckpointError, type CheckpointStore, type PollState } from '@formwire/sdk'
import { type FileCheckpointOptions, fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { fileFailure, usage } from '../failure.ts'

/** Largest file that is read: the positions of thousands of forms. */
const MAX_BYTES = 16 * 1024 * 1024

type Lease = Awaited<ReturnType<NonNullable<CheckpointStore['acquire']>>>
type Positions = Map<string, PollState>

/**
 * Returns a store that keeps the positions of all forms in one file, which is replaced as a whole and belongs to one process at a
 * time. @throws Failure exit 2 if the file is not a checkpoint, or cannot be read
 */
export async function positionFile(
  given: string,
  options: FileCheckpointOptions = {},
): Promise<CheckpointStore> {
  // The file that a symbolic link leads to is replaced, not the link.
  const path = await realpath(given).catch(() => resolve(given))
  await readPositions(path, given)
  // Locks the file with a lock of the same kind as a directory of checkpoints.
  const locks = fileCheckpoint(dirname(path), options)
  /** The lock, and how many forms use it. */
  let lease: Promise<Lease> | undefined
  let users = 0
  let positions: Positions = new Map()
  let saving: Promise<void> = Promise.resolve()

  const notWritten = (error: unknown): CheckpointError =>
    new CheckpointError(`The checkpoint ${given} cannot be written.`, {}, { cause: error })

  async function lock(signal: AbortSignal | undefined): Promise<Lease> {
    await makeFolder(dirname(path)).catch((error: unknown) => {
      throw notWritten(error)
    })
    const locked = (await locks.acquire?.(basename(path), signal).catch((error: unknown) => {
      throw inUse(error as CheckpointError, given)
    })) as Lease
    try {
      // Read again: the last holder may have saved since.
      positions = await readPositions(path, given)
    } catch (error) {
      await locked.release()
      throw new CheckpointError((error as Error).message, {}, { cause: error })
    }
    return locked
  }

  async function release(): Promise<void> {
    users -= 1
    if (users > 0) return
    const held = lease
    lease = undefined
    await saving.catch(() => undefined)
    await held?.then(
      (locked) => locked.release(),
      () => undefined,
    )
  }

  async function write(): Promise<void> {
    const forms = Object.fromEntries(positions)
    const text = `${JSON.stringify({ formwire_checkpoint: 1, forms }, null, 2)}\n`
    await writeFile(path, text, { fsync: true }).catch((error: unknown) => {
      throw notWritten(error)
    })
  }

  function save(key: string, state: PollState): Promise<void> {
    positions.set(key, state)
    // One write after another, each with the positions of all forms.
    saving = saving.catch(() => undefined).then(write)
    return saving
  }

  return {
    load: (key) => positions.get(key),
    save,
    async acquire(_key, signal) {
      users += 1
      try {
        lease ??= lock(signal)
        const held = lease
        // Lost to another process, and not yet acquired again by another form.
        if ((await held).lost.aborted && lease === held) lease = lock(signal)
        const { lost } = await lease
        return {
          lost,
          async save(key, state) {
            lost.throwIfAborted()
            await save(key, state)
          },
          release,
        }
      } catch (error) {
        await release()
        throw error
      }
    },
  }
}

/** Names the file of the user instead of that of the lock. */
function inUse(error: CheckpointError, given: string): Error {
  if (error.reason !== 'locked') return error
  const { holder = 'another process' } = error
  const message = `The checkpoint ${given} is in use by ${holder}; stop that process or use another checkpoint.`
  return new CheckpointError(message, { reason: 'locked' })
}

/** Returns the positions; none if the file does not exist or is empty. */
async function readPositions(path: string, given: string): Promise<Positions> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw fileFailure(`read the checkpoint ${given}`, error)
  }
  const positions =
    text.length > MAX_BYTES ? undefined : text === '' ? new Map<string, PollState>() : parse(text)
  if (positions) return positions
  throw usage(
    `${given} is ${textProblem(text, 'not a checkpoint')}`,
    'choose another file, or remove this one to start over',
  )
}

function parse(text: string): Positions | undefined {
  const { formwire_checkpoint: version, forms } = parseObject(text) ?? {}
  const entries = Object.entries(Object(forms)) as [string, PollState][]
  return version === 1 && entries.every(([, state]) => isState(state)) ? new Map(entries) : undefined
}

function isState(state: Partial<PollState> | null): boolean {
  return state?.version === 1 && typeof state.since === 'string' && Array.isArray(state.ids)
}
