import { createReadStream } from 'node:fs'
import { fileFailure, usage } from '../failure.ts'
import type { Runtime } from '../runtime.ts'

const MAX_BYTES = 16 * 1024 * 1024
/** Characters of a wrong line in an error. */
const MAX_SHOWN = 60

/** Returns the name of an input for messages. */
export const inputName = (file: string | undefined): string =>
  file === undefined || file === '-' ? 'stdin' : file

/**
 * Reads response ids from a file, or from stdin for `-`: one per line, before the first tab or comma. Empty lines are skipped.
 * @throws Failure exit 2 if the file cannot be read, is too large, or a line does not begin with an id
 */
export async function readIdFile({ stdin }: Pick<Runtime, 'stdin'>, file: string): Promise<number[]> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of (file === '-' ? stdin : createReadStream(file)) as AsyncIterable<
      Buffer | string
    >) {
      const bytes = Buffer.from(chunk as string)
      size += bytes.length
      if (size > MAX_BYTES) break
      chunks.push(bytes)
    }
  } catch (error) {
    throw fileFailure(`read ${file}`, error)
  }
  if (size > MAX_BYTES) throw usage(`${file} exceeds ${MAX_BYTES / 1024 / 1024} MiB`)
  const lines = Buffer.concat(chunks).toString().split(/\r?\n/)
  return lines.flatMap((line, index) => {
    const text = (/^[^\t,]*/.exec(line)?.[0] ?? '').trim()
    // The header of a CSV export.
    if (text === '' || (index === 0 && text === 'id')) return []
    if (/^\d{1,15}$/.test(text)) return [Number(text)]
    throw usage(
      `line ${index + 1} of ${inputName(file)} must begin with a response id, got "${text.slice(0, MAX_SHOWN)}"`,
      'one id per line; what follows a tab or a comma is ignored',
    )
  })
}
