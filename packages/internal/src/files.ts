import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A name beside a file that cannot be predicted. The id of the process tells whether what is left there is in use. */
const temporaryPath = (path: string): string => `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`

/**
 * Creates a folder, and those above it, unless it exists. The `recursive` of Node.js never ends below /proc, which exists and refuses a
 * new folder with ENOENT. @throws the error of the file system
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  let problem = await problemOfFolder(path, mode)
  if (problem?.code === 'ENOENT' && dirname(path) !== path) {
    await makeFolder(dirname(path), mode)
    problem = await problemOfFolder(path, mode)
  }
  if (problem) throw problem
}

/** Creates a folder. Returns why there is none afterwards. */
async function problemOfFolder(path: string, mode: number): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, mode)
    return undefined
  } catch (error) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    )
    return isFolder ? undefined : (error as NodeJS.ErrnoException)
  }
}

/** How a file is written. */
interface WriteOptions {
  /** Mode of the new file, as far as the umask allows. @default 0o600 */
  mode?: number | undefined
  /** Mode that it has whatever the umask says. @default `mode` and the umask */
  exactMode?: number | undefined
  /** Whether it is flushed to disk. @default false */
  fsync?: boolean | undefined
}

/** Characters that are collected before they are written. */
const BLOCK = 256 * 1024

/**
 * Writes a file as a whole: a new file replaces it. The new file must not exist, since a link in its place would be followed, and a file
 * of somebody else would keep its mode. @throws the error of the file system, or of the content; no part is left
 */
export async function writeFile(
  path: string,
  content: string | AsyncIterable<string>,
  { mode = 0o600, exactMode, fsync = false }: WriteOptions = {},
): Promise<void> {
  const temporary = temporaryPath(path)
  try {
    const file = await open(temporary, 'wx', mode)
    try {
      let block = ''
      for await (const text of typeof content === 'string' ? [content] : content) {
        block += text
        if (block.length < BLOCK) continue
        await file.appendFile(block)
        block = ''
      }
      await file.appendFile(block)
      if (exactMode !== undefined) await file.chmod(exactMode)
      if (fsync) await file.sync()
    } finally {
      await file.close()
    }
    for (const waitMs of renaming(temporary, path)) await sleep(waitMs)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Like {@link writeFile}, for text that only its owner may read, blocking the process. */
export function writeWholeSync(path: string, text: string, fsync = false): void {
  const temporary = writeBesideSync(path, text, fsync)
  try {
    replaceFileSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Writes a new file in the folder of another one and returns its path. A failure leaves none. @throws the error of the file system */
export function writeBesideSync(path: string, text: string, fsync = false): string {
  const temporary = temporaryPath(path)
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    if (fsync) fsyncSync(file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return temporary
}

/** Creates a file that only its owner may read. @throws the error of the file system: `EEXIST` if it exists, else no part is left */
export async function createFile(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** Milliseconds between the attempts to rename a file: two seconds in all. */
const WAITS_MS = [10, 20, 40, 80, 150, 300, 600, 800]
const PASSING = new Set(['EPERM', 'EACCES', 'EBUSY'])

/** What a file is renamed with, for tests. */
export interface RenameTools {
  platform: NodeJS.Platform
  rename(from: string, to: string): void
  sleep(ms: number): unknown
}

const realTools: RenameTools = {
  platform: process.platform,
  rename: renameSync,
  sleep: (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
}

/**
 * Renames a file over another one, and yields how long to wait before each further attempt. Windows refuses this while another program,
 * such as a virus scanner, has one of them open. Elsewhere the same codes are lasting. @throws the error of the last attempt
 */
function* renaming(
  from: string,
  to: string,
  { platform, rename }: Omit<RenameTools, 'sleep'> = realTools,
): Generator<number> {
  for (const waitMs of platform === 'win32' ? WAITS_MS : []) {
    try {
      rename(from, to)
      return
    } catch (error) {
      if (!PASSING.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
    yield waitMs
  }
  rename(from, to)
}

/** Renames a file over another one, blocking the process: for what happens at its end. @throws the error of the last attempt */
export function replaceFileSync(from: string, to: string, tools: RenameTools = realTools): void {
  for (const waitMs of renaming(from, to, tools)) tools.sleep(waitMs)
}
