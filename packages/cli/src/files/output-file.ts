import { access, constants, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { writeFile } from '@formwire/internal/files'
import { fileProblem, usage, withPath } from '../failure.ts'

/** A file to be replaced as a whole. */
export interface OutputFile {
  /** Whether there is a file to replace. */
  readonly exists: boolean
  /** Replaces the file by renaming. Readers see the old or the new content, never a part. */
  write(text: string | AsyncIterable<string>): Promise<void>
}

/**
 * Checks that a file can be written, before the work that its content needs.
 * @param privately whether only the user may read it. @default as the file that is replaced, else as the umask says
 * @throws Failure exit 2
 */
export async function prepareOutput(path: string, privately = false): Promise<OutputFile> {
  const target = await targetOf(path)
  const existing = await stat(path).catch(() => undefined)
  if (existing ? !existing.isFile() : path.endsWith('/'))
    throw usage(`cannot write ${path}: it is not a regular file`)
  const directory = dirname(target)
  try {
    await access(directory, constants.W_OK)
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw usage(
      `cannot write ${path}: ${isMissing ? `the directory ${directory} does not exist` : fileProblem(error)}`,
      isMissing ? 'create the directory, or choose another file' : 'choose a file in another directory',
    )
  }
  const usual = existing ? existing.mode & 0o777 : 0o666
  const mode = privately ? 0o600 : usual
  return {
    exists: existing !== undefined,
    async write(text) {
      await writeFile(target, text, { mode, exactMode: existing && mode, fsync: true }).catch(
        (error: unknown) => {
          throw withPath(error, path)
        },
      )
    },
  }
}

/** Returns the file that is written at a path: what a symbolic link leads to, even if it does not exist yet. */
export async function targetOf(path: string): Promise<string> {
  return await realpath(path).catch(async ({ code }: NodeJS.ErrnoException) => {
    const link = code === 'ENOENT' ? await readlink(path).catch(() => undefined) : undefined
    return link === undefined ? resolve(path) : await targetOf(resolve(await realpath(dirname(path)), link))
  })
}
