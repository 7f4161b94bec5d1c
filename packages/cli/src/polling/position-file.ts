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
  return new PositionFile(path, given, options).store
}

class PositionFile {
  readonly #path: string
  readonly #given: string
  /** Locks the file with a lock of the same kind as a directory of checkpoints. */
  readonly #locks: CheckpointStore
  /** The lock, and how many forms use it. */
  #lease: Promise<Lease> | undefined
  #users = 0
  #positions: Positions = new Map()
  #saving: Promise<void> = Promise.resolve()

  constructor(path: string, given: string, options: FileCheckpointOptions) {
    this.#path = path
    this.#given = given
    this.#locks = fileCheckpoint(dirname(path), options)
  }

  readonly store: CheckpointStore = {
    load: (key) => this.#positions.get(key),
    save: (key, state) => this.#save(key, state),
    acquire: (_key, signal) => this.#acquire(signal),
  }

  async #acquire(signal: AbortSignal | undefined): Promise<Lease> {
    this.#users += 1
    try {
      this.#lease ??= this.#lock(signal)
      const held = this.#lease
      // Lost to another process, and not yet acquired again by another form.
      if ((await held).lost.aborted && this.#lease === held) this.#lease = this.#lock(signal)
      const { lost } = await this.#lease
      return {
        lost,
        save: async (key, state) => {
          lost.throwIfAborted()
          await this.#save(key, state)
        },
        release: () => this.#release(),
      }
    } catch (error) {
      await this.#release()
      throw error
    }
  }

  async #lock(signal: AbortSignal | undefined): Promise<Lease> {
    await makeFolder(dirname(this.#path)).catch((error: unknown) => {
      throw this.#notWritten(error)
    })
    const lease = (await this.#locks.acquire?.(basename(this.#path), signal).catch((error: unknown) => {
      throw this.#inUse(error as CheckpointError)
    })) as Lease
    try {
      // Read again: the last holder may have saved since.
      this.#positions = await readPositions(this.#path, this.#given)
    } catch (error) {
      await lease.release()
      throw new CheckpointError((error as Error).message, {}, { cause: error })
    }
    return lease
  }

  /** Names the file of the user instead of that of the lock. */
  #inUse(error: CheckpointError): Error {
    if (error.reason !== 'locked') return error
    const { holder = 'another process' } = error
    const message = `The checkpoint ${this.#given} is in use by ${holder}; stop that process or use another checkpoint.`
    return new CheckpointError(message, { reason: 'locked' })
  }

  #notWritten(error: unknown): CheckpointError {
    return new CheckpointError(`The checkpoint ${this.#given} cannot be written.`, {}, { cause: error })
  }

  async #release(): Promise<void> {
    this.#users -= 1
    if (this.#users > 0) return
    const lease = this.#lease
    this.#lease = undefined
    await this.#saving.catch(() => undefined)
    await lease?.then(
      (held) => held.release(),
      () => undefined,
    )
  }

  #save(key: string, state: PollState): Promise<void> {
    this.#positions.set(key, state)
    // One write after another, each with the positions of all forms.
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#write())
    return this.#saving
  }

  async #write(): Promise<void> {
    const forms = Object.fromEntries(this.#positions)
    const text = `${JSON.stringify({ formwire_checkpoint: 1, forms }, null, 2)}\n`
    await writeFile(this.#path, text, { fsync: true }).catch((error: unknown) => {
      throw this.#notWritten(error)
    })
  }
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
