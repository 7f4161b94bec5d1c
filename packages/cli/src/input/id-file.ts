import { usage } from '../failure.ts'
import type { Runtime } from '../runtime.ts'
import { inputName, readInput } from './read-input.ts'

const MAX_BYTES = 16 * 1024 * 1024
/** Characters of a wrong line in an error. */
const MAX_SHOWN = 60

/**
 * Reads response ids from a file, or from stdin for `-`: one per line, before the first tab or comma. Empty lines are skipped.
 * @throws Failure exit 2 as {@link readInput}, or if a line does not begin with an id
 */
export async function readIdFile(runtime: Pick<Runtime, 'stdin'>, file: string): Promise<number[]> {
  const lines = (await readInput(runtime, file, MAX_BYTES)).toString().split(/\r?\n/)
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
