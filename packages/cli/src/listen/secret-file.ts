import { existsSync, readFileSync, unlinkSync } from 'node:fs'
import { writeWholeSync } from '@formwire/internal/files'
import type { Context } from '../context.ts'
import { fileFailure } from '../failure.ts'

/**
 * Writes the secret, without a line end, to a file that only its owner can read, replacing what is there, and removes the
 * file when the command ends, unless another program has replaced it. Announces the path.
 * @throws Failure exit 2 if the file cannot be written
 */
export function writeSecretFile(context: Context, path: string, secret: string): void {
  const replaces = existsSync(path)
  try {
    // A new file, so that the mode of an existing one does not apply.
    writeWholeSync(path, secret)
  } catch (error) {
    throw fileFailure(`write the secret to ${path}`, error)
  }
  const removed = 'it is removed on exit'
  if (replaces)
    context.output.announce('replaced', `replaced ${path} with the webhook secret; ${removed}`, {
      file: path,
    })
  // The listening event has the path.
  else if (!context.output.json)
    context.output.announce('secret_file', `wrote the webhook secret to ${path}; ${removed}`)
  const remove = (): void => {
    try {
      if (readFileSync(path, 'utf8') === secret) unlinkSync(path)
    } catch {
      // Already removed.
    }
  }
  context.onExit(remove, remove)
}
