import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { replaceFile, replaceFileSync } from './replace-file.ts'

/** A name beside a file that cannot be predicted. The id of the process tells whether what is left there is in use. */
const temporaryPath = (path: string): string => `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`

/**
 * Writes a file that only its owner may read, as a whole: a new file replaces it. The new file must not exist, since a link in its
 * place would be followed, and a file of somebody else would keep its mode.
 *
 * @param sync Flushes it to disk. @throws the error of the file system
 */
export async function writeWhole(path: string, text: string, sync: boolean): Promise<void> {
  const temporary = temporaryPath(path)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      if (sync) await file.sync()
    } finally {
      await file.close()
    }
    await replaceFile(temporary, path)
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  }
}

/** Like {@link writeWhole}, blocking the process. @param replace Renames a file over another one; for tests. */
export function writeWholeSync(path: string, text: string, sync = false, replace = replaceFileSync): void {
  const temporary = writeBesideSync(path, text, sync)
  try {
    replace(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Writes a new file in the folder of another one and returns its path. A failure leaves none. @throws the error of the file system */
export function writeBesideSync(path: string, text: string, sync = false): string {
  const temporary = temporaryPath(path)
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    if (sync) fsyncSync(file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return temporary
}
