import { constants } from 'node:buffer'
import { chmodSync, readFileSync, realpathSync, rmSync, type Stats, statSync } from 'node:fs'
import { writeBesideSync, writeWholeSync } from '@formwire/internal/files'
import { isObject, parseJson, textProblem } from '@formwire/internal/json'
import { UsageError } from './arguments.ts'

/** The file of `--state`: a snapshot that is loaded at the start and written on exit. */
export interface StateFile {
  /** The JSON object in the file, not yet validated; `undefined` if it does not exist. */
  readonly snapshot: object | undefined
  /** Makes an existing file readable by its owner only. Call it once the content is known to be ours. */
  restrict(): void
  /**
   * Replaces the file. Synchronous, so that no signal handler runs in between; other programs see the old file or the new
   * one, never a part. @throws Error that names the file; the old one stays.
   */
  save(snapshot: object): void
}

/** It contains webhook secrets and the hashes of keys. */
const OWNER_ONLY = 0o600

/**
 * Reads the file, if it exists, and makes sure that it can be written.
 *
 * @throws UsageError
 */
export function openStateFile(path: string): StateFile {
  const stats = statOf(path)
  // A rename would replace a link instead of the file that it leads to.
  const target = stats ? realpathSync(path) : path
  const snapshot = stats && readSnapshotFile(path, stats)
  try {
    rmSync(writeBesideSync(target, ''))
  } catch (error) {
    throw refusal(path, `cannot write the file (${codeOf(error)}).`)
  }
  return {
    snapshot,
    restrict() {
      if (!stats || (stats.mode & 0o077) === 0) return
      try {
        chmodSync(target, OWNER_ONLY)
      } catch (error) {
        throw refusal(path, `others may read the file, and its mode cannot be changed (${codeOf(error)}).`)
      }
    },
    save(state) {
      try {
        writeWholeSync(target, `${JSON.stringify(state)}\n`, true)
      } catch (error) {
        throw new Error(`cannot save the state to ${path} (${codeOf(error)}); the file is unchanged`)
      }
    },
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw refusal(path, `cannot read the file (${codeOf(error)}).`)
  }
}

function readSnapshotFile(path: string, stats: Stats): object {
  // Reading a pipe or a device might never end.
  if (!stats.isFile()) throw refusal(path, 'not a regular file.')
  if (stats.size > constants.MAX_STRING_LENGTH)
    throw refusal(
      path,
      `${stats.size} bytes are more than ${constants.MAX_STRING_LENGTH}, the most that can be read.`,
    )
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw refusal(path, `cannot read the file (${codeOf(error)}).`)
  }
  const content = parseJson(text)
  if (isObject(content)) return content
  // Without V8's message, which quotes the surrounding text, and that may be a secret.
  const problem = content === undefined ? textProblem(text, 'not valid JSON') : 'not a snapshot'
  throw refusal(path, `${problem}. The file is unchanged; move it away to start from --seed.`)
}

const refusal = (path: string, problem: string): UsageError =>
  new UsageError(`--state ${path}: ${problem}`, 'state_file')

const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error))
