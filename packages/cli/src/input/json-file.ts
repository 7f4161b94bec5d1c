import { readFile } from 'node:fs/promises'
import { fileFailure, usage } from '../failure.ts'
import type { Runtime } from '../runtime.ts'
import { readStdin } from './read-stdin.ts'

/** A file that was read. */
export interface JsonFile {
  /** How errors name it: its path, or `stdin`. */
  name: string
  bytes: Buffer
  value: unknown
}

/**
 * Reads a JSON file, or stdin for `-`.
 * @throws Failure exit 2 if it cannot be read, is larger than `maxBytes`, or is not JSON; `hint` says what it must be
 */
export async function readJsonFile(
  runtime: Pick<Runtime, 'stdin'>,
  path: string,
  maxBytes: number,
  hint?: string,
): Promise<JsonFile> {
  const isStdin = path === '-'
  const name = isStdin ? 'stdin' : path
  const bytes = isStdin ? await readStdin(runtime, maxBytes) : await bytesOf(path)
  if (bytes.length > maxBytes) throw usage(`${name} exceeds ${maxBytes} bytes`)
  try {
    return { name, bytes, value: JSON.parse(bytes.toString()) }
  } catch {
    throw usage(`${name} is not valid JSON`, hint)
  }
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw fileFailure(`read ${path}`, error)
  }
}
