import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { FormResponse } from '@formwire/contract'
import type { CheckpointError, Lease, PollState } from '@formwire/sdk'
import { fileFailure, usage } from '../failure.ts'
import { relativeTime } from '../output/time.ts'
import { JsonLines } from './json-lines.ts'

/** What an interrupted export has already. */
export interface Progress {
  count: number
  /** Position of the poll after the last response; undefined before the first. */
  state: PollState | undefined
}

/**
 * Opens the responses that an interrupted NDJSON export to FILE has left in `FILE.part`; undefined if there are none.
 * @throws Failure exit 2 if the file is damaged, is from another form, belongs to another user, or is a link
 */
export async function resumeRows(
  target: string,
  formId: string,
): Promise<{ rows: JsonLines<FormResponse>; progress: Progress } | undefined> {
  const file = await openPart(target)
  if (!file) return undefined
  const path = partPath(target)
  const rows = new JsonLines<FormResponse>(file)
  try {
    let count = 0
    let state: PollState | undefined
    let complete = 0
    for await (const { item, end } of rows.items()) {
      const { id, form_id, submitted_at: since }: Partial<FormResponse> = Object(item)
      if (typeof id !== 'number' || typeof since !== 'string') throw new SyntaxError('no response')
      if (form_id !== formId) {
        throw usage(
          `${path} is from an export of form ${form_id}, not of ${formId}`,
          'resume with the same arguments, or delete the file to start from the beginning',
        )
      }
      complete = end
      count += 1
      state = stateAfter(state, { id, submitted_at: since })
    }
    if (count === 0) throw new SyntaxError('no response')
    await rows.truncate(complete)
    return { rows, progress: { count, state } }
  } catch (error) {
    await rows.close()
    if (!(error instanceof SyntaxError)) throw error
    throw usage(`${path} is damaged`, 'delete it to start from the beginning')
  }
}

/** Returns the position after one more response. It may be the same object: copying the ids of many ties would be quadratic. */
function stateAfter(
  state: PollState | undefined,
  { id, submitted_at: since }: { id: number; submitted_at: string },
): PollState {
  if (state?.since !== since) return { version: 1, since, ids: [id] }
  state.ids.push(id)
  return state
}

/** Holds the part file of a target until it is released, or the process ends. @throws Failure exit 2 if another process holds it */
export async function holdPart(target: string, signal: AbortSignal): Promise<Lease> {
  const directory = await realpath(dirname(target)).catch((error: unknown) => {
    throw fileFailure(`write ${target}`, error)
  })
  const { fileCheckpoint } = await import('@formwire/sdk/checkpoint/file')
  const name = basename(partPath(target))
  const hold = fileCheckpoint(directory).acquire?.(name, signal) as Promise<Lease>
  return await hold.catch((error: CheckpointError) => {
    if (error.reason !== 'locked') throw error.cause ? fileFailure(`write ${target}`, error.cause) : error
    throw usage(
      `${partPath(target)} is in use by ${error.holder}`,
      'wait until it has finished, or choose another file',
    )
  })
}

/** Creates the part file of a target, readable only by its owner. @throws Failure exit 2 if it exists or cannot be written */
export async function createPart(
  target: string,
  { work, over, now }: { work: string; over: string; now: number },
): Promise<FileHandle> {
  const path = partPath(target)
  return await open(path, 'ax+', 0o600).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw fileFailure(`write ${target}`, error)
    const { mtime } = await lstat(path)
    throw usage(
      `${path} is from an unfinished ${work}, last written ${relativeTime(mtime.toISOString(), now)}`,
      `continue it with --resume, or ${over} to start from the beginning`,
    )
  })
}

/** Opens the part file of interrupted work; undefined if there is none. @throws Failure exit 2 if it belongs to another user, or is a link */
export async function openPart(target: string): Promise<FileHandle | undefined> {
  const path = partPath(target)
  // A link would lead to a file of somebody else, and without the flag (Windows) one is looked for.
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants
  const isLink = await lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )
  if (isLink) throw notOurs(path)
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ELOOP' ? notOurs(path) : fileFailure(`read ${path}`, error)
    },
  )
  const isOurs = await makePrivate(file).catch(async (error: unknown) => {
    await file.close()
    throw fileFailure(`write ${path}`, error)
  })
  if (!isOurs) {
    await file.close()
    throw notOurs(path)
  }
  const { size } = await file.stat()
  if (size > 0) return file
  await file.close()
  await rm(path, { force: true })
  return undefined
}

function notOurs(path: string): Error {
  return usage(
    `${path} is a link, belongs to another user, or can be changed by others`,
    'delete it to start from the beginning',
  )
}

/** Returns the path of the part file of an export to this file. */
export function partPath(target: string): string {
  return `${target}.part`
}

/** How file systems without modes, such as FAT, refuse to change the mode of one's own file. */
const NO_MODES = new Set(['EPERM', 'ENOTSUP'])

/**
 * Makes a file readable only by the user. Returns false, and leaves its mode, if it belongs to another user or could be changed by
 * others until now. Where files have no modes, and on Windows, only the owner counts, or nothing. @throws the error of the file system
 */
export async function makePrivate(file: Pick<FileHandle, 'stat' | 'chmod'>): Promise<boolean> {
  if (!process.getuid) return true
  const { uid, mode } = await file.stat()
  if (uid !== process.getuid()) return false
  if ((mode & 0o077) === 0) return true
  const hasModes = await file.chmod(0o600).then(
    async () => ((await file.stat()).mode & 0o077) === 0,
    (error: NodeJS.ErrnoException) => {
      if (NO_MODES.has(error.code ?? '')) return false
      throw error
    },
  )
  if (!hasModes || (mode & 0o022) === 0) return true
  // A second attempt must not find it private.
  await file.chmod(mode & 0o777)
  return false
}
