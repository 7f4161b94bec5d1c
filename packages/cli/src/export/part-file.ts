import { constants } from 'node:fs'
import { type FileHandle, lstat, open, rm } from 'node:fs/promises'
import type { FormResponse } from '@formwire/contract'
import type { PollState } from '@formwire/sdk'
import { fileFailure, usage } from '../failure.ts'
import { JsonLines } from './json-lines.ts'

/** What an export reads: a part file continues only the same one. */
export interface ExportScope {
  form_id: string
  /** `--since` as given; a span counts back from the start of the first run. */
  since_text: string | null
  since: string | null
  status: string | null
  order: string
  limit: number | null
}

/** First line of a part file. */
interface PartHeader extends ExportScope {
  formwire_export: 1
}

type PartLine = PartHeader | FormResponse

/** What an interrupted export has already. */
export interface Progress {
  count: number
  /** Position of the poll after the last response; undefined before the first. */
  state: PollState | undefined
}

/**
 * `FILE.part`: the responses that an export to FILE has read so far, as JSON lines. It outlives an interrupted export, which can
 * be continued, and is removed when FILE is complete. Readable only by its owner.
 */
export class PartFile {
  readonly path: string
  readonly #lines: JsonLines<PartLine>

  private constructor(path: string, lines: JsonLines<PartLine>) {
    this.path = path
    this.#lines = lines
  }

  /** Creates the file. @throws Failure exit 2 if it exists or cannot be written */
  static async create(target: string, scope: ExportScope): Promise<PartFile> {
    const path = partPath(target)
    const part = new PartFile(path, new JsonLines(await createPart(target, 'export')))
    await part.#lines.add({ formwire_export: 1, ...scope })
    await part.#lines.flush()
    return part
  }

  /**
   * Opens the file of an interrupted export; undefined if there is none.
   * @throws Failure exit 2 if it is damaged, belongs to another export or user, or is a link
   */
  static async resume(
    target: string,
    scope: ExportScope,
  ): Promise<{ part: PartFile; since: string | null; progress: Progress } | undefined> {
    const path = partPath(target)
    const file = await openPart(target)
    if (!file) return undefined
    const part = new PartFile(path, new JsonLines(file))
    try {
      return { part, ...(await part.#progress(scope)) }
    } catch (error) {
      await part.close()
      if (!(error instanceof SyntaxError)) throw error
      throw usage(`${path} is damaged`, 'delete it to start from the beginning')
    }
  }

  async #progress(scope: ExportScope): Promise<{ since: string | null; progress: Progress }> {
    let header: PartHeader | undefined
    let count = 0
    let state: PollState | undefined
    let complete = 0
    for await (const { item, end } of this.#lines.items()) {
      complete = end
      if (header === undefined) {
        header = checkedHeader(this.path, item as PartHeader, scope)
        continue
      }
      const { id, submitted_at } = item as FormResponse
      count += 1
      const since = submitted_at ?? ''
      state = { version: 1, since, ids: state?.since === since ? [...state.ids, id] : [id] }
    }
    if (header === undefined) throw new SyntaxError('no header')
    await this.#lines.truncate(complete)
    return { since: header.since, progress: { count, state } }
  }

  async add(response: FormResponse): Promise<void> {
    await this.#lines.add(response)
  }

  async flush(): Promise<void> {
    await this.#lines.flush()
  }

  /** Yields every response, in the order of `add`. */
  async *items(): AsyncGenerator<FormResponse> {
    for await (const { item } of this.#lines.items()) if (!('formwire_export' in item)) yield item
  }

  async close(): Promise<void> {
    await this.#lines.close()
  }

  /** Closes and deletes the file. */
  async remove(): Promise<void> {
    await this.close()
    await rm(this.path, { force: true })
  }
}

/** Creates the part file of a target, readable only by its owner. @throws Failure exit 2 if it exists or cannot be written */
export async function createPart(target: string, work: string): Promise<FileHandle> {
  const path = partPath(target)
  return await open(path, 'ax+', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw fileFailure(`write ${target}`, error)
    throw usage(
      `${path} is from an unfinished ${work}`,
      'continue it with --resume, or delete it to start from the beginning',
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

function checkedHeader(path: string, header: PartHeader, scope: ExportScope): PartHeader {
  if (header?.formwire_export !== 1) throw new SyntaxError('no header')
  for (const [name, option] of SCOPE_OPTIONS) {
    // Part files of earlier versions have no limit.
    const before = header[name] ?? null
    if (before === scope[name]) continue
    throw usage(
      `${path} is from an export with ${described(option, before)}, now ${described(option, scope[name])}`,
      'resume with the same arguments, or delete the file to start from the beginning',
    )
  }
  return header
}

const SCOPE_OPTIONS = [
  ['form_id', 'form'],
  ['since_text', '--since'],
  ['status', '--status'],
  ['order', '--order'],
  ['limit', '--limit'],
] as const

const described = (option: string, value: string | number | null): string =>
  value === null ? `no ${option}` : `${option} ${value}`

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
