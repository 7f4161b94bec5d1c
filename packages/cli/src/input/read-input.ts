import { createReadStream } from 'node:fs'
import { parseJson } from '@formwire/internal/json'
import { bytesProblem, bytesWithoutMark } from '@formwire/internal/json-file'
import { Failure, fileFailure, usage } from '../failure.ts'
import type { Runtime } from '../runtime.ts'

/** Returns the name of an input for messages: its path, or `stdin` for `-`. */
export const inputName = (path = '-'): string => (path === '-' ? 'stdin' : path)

/** Reads a file, or stdin for `-`, without a byte order mark. @throws Failure exit 2 if it cannot be read, is UTF-16, or is larger than `maxBytes` */
export async function readInput(
  { stdin }: Pick<Runtime, 'stdin'>,
  path: string,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of (path === '-' ? stdin : createReadStream(path)) as AsyncIterable<
      Buffer | string
    >) {
      const bytes = Buffer.from(chunk as string)
      size += bytes.length
      if (size > maxBytes) throw usage(`${inputName(path)} exceeds ${maxBytes} bytes`)
      chunks.push(bytes)
    }
  } catch (error) {
    throw error instanceof Failure ? error : fileFailure(`read ${inputName(path)}`, error)
  }
  const bytes = Buffer.concat(chunks)
  const problem = bytesProblem(bytes)
  if (problem !== '') throw usage(`${inputName(path)} is ${problem}`)
  return bytesWithoutMark(bytes)
}

/**
 * Reads a JSON file, or stdin for `-`.
 * @throws Failure exit 2 as {@link readInput}, or if it is a terminal or not JSON; `hint` says what it must be
 */
export async function readJsonInput(
  runtime: Pick<Runtime, 'stdin'>,
  path: string,
  maxBytes: number,
  hint?: string,
): Promise<{ name: string; bytes: Buffer; value: unknown }> {
  const name = inputName(path)
  if (path === '-' && runtime.stdin.isTTY === true)
    throw usage('cannot read from stdin: it is a terminal', 'pipe a file to the command')
  const bytes = await readInput(runtime, path, maxBytes)
  const value = parseJson(bytes.toString())
  if (value === undefined) throw usage(`${name} is not valid JSON`, hint)
  return { name, bytes, value }
}
