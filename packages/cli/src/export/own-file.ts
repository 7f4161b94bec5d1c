import type { FileHandle } from 'node:fs/promises'

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
