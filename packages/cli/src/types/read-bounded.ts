import { open } from 'node:fs/promises'
import { textProblem, withoutMark } from '@formwire/internal/json'
import { usage } from '../failure.ts'

/** Largest file that is read, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Returns the text of a file without a byte order mark. @throws Failure exit 2 for UTF-16, or a larger file than any that is written;
 * system errors
 */
export async function readBounded(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size > MAX_BYTES) throw usage(`${path} is larger than ${MAX_BYTES} bytes`)
    const text = await file.readFile('utf8')
    const problem = textProblem(text, '')
    if (problem !== '') throw usage(`${path} is ${problem}`)
    return withoutMark(text)
  } finally {
    await file.close()
  }
}
