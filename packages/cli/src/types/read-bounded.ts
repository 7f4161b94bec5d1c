import { open } from 'node:fs/promises'
import { usage } from '../failure.ts'

/** Largest file that is read, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024

/** Returns the text of a file. @throws Failure exit 2 for a larger file than any that is written; system errors */
export async function readBounded(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size > MAX_BYTES) throw usage(`${path} is larger than ${MAX_BYTES} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
